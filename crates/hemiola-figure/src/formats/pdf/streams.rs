//! Compressed streams.

/// How hard streams are compressed, of ten.
const COMPRESSION: u8 = 6;

pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, COMPRESSION)
}
