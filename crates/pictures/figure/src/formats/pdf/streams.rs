//! Compressed streams.

/// Compression level of streams, from 0 to 10.
const COMPRESSION: u8 = 6;

pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, COMPRESSION)
}
