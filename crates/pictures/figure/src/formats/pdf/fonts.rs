//! Fonts in a PDF file: the subset of letters used, their widths, and the characters they represent.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::GlyphRemapper;
use ttf_parser::{GlyphId, Tag};

use super::streams::compressed;
use crate::error::FigureError;
use crate::text::{Face, Run};

const SYSTEM: SystemInfo<'static> = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// Width of vertical stems, used by readers that substitute a font.
const STEM: f32 = 80.0;

/// A face, embedded as a subset of its letters.
pub(super) struct Font {
    pub(super) face: Face,
    place: usize,
    letters: GlyphRemapper,
    /// Characters represented by the letters, keyed by glyph number in the file.
    meanings: BTreeMap<u16, char>,
}

/// Metrics of a face in a PDF file, in thousandths of the font size.
struct Measures {
    name: String,
    bounds: Rect,
    ascent: f32,
    descent: f32,
    capital: f32,
    slant: f32,
    widths: Vec<f32>,
}

/// PDF objects of a font.
struct Parts<'a> {
    name: &'a str,
    /// Whether the outlines are in the compact format of PostScript (CFF).
    is_cff: bool,
    cid: Ref,
    descriptor: Ref,
    file: Ref,
    meanings: Ref,
}

impl Parts<'_> {
    /// Writes the name of the font and the metrics of its letters.
    fn describe(&self, id: Ref, measures: &Measures, pdf: &mut Pdf) {
        let name = Name(self.name.as_bytes());
        pdf.type0_font(id)
            .base_font(name)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(self.cid)
            .to_unicode(self.meanings);
        let mut font = pdf.cid_font(self.cid);
        font.subtype(if self.is_cff { CidFontType::Type0 } else { CidFontType::Type2 });
        font.base_font(name).system_info(SYSTEM).font_descriptor(self.descriptor).default_width(0.0);
        font.widths().consecutive(0, measures.widths.iter().copied());
        if !self.is_cff {
            font.cid_to_gid_map_predefined(Name(b"Identity"));
        }
        font.finish();
        let mut about = pdf.font_descriptor(self.descriptor);
        about.name(name).flags(FontFlags::SYMBOLIC).bbox(measures.bounds).stem_v(STEM);
        about.italic_angle(measures.slant).ascent(measures.ascent).descent(measures.descent);
        about.cap_height(measures.capital);
        if self.is_cff {
            about.font_file3(self.file)
        } else {
            about.font_file2(self.file)
        };
    }

    /// Writes the outlines of the letters.
    fn embed(&self, outlines: &[u8], pdf: &mut Pdf) {
        let packed = compressed(outlines);
        let mut stream = pdf.stream(self.file, &packed);
        stream.filter(Filter::FlateDecode);
        if self.is_cff {
            stream.pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
        } else {
            stream.pair(Name(b"Length1"), outlines.len() as i32);
        }
    }
}

impl Font {
    pub(super) fn new(face: Face, place: usize) -> Self {
        Self { face, place, letters: GlyphRemapper::new(), meanings: BTreeMap::new() }
    }

    /// Returns its name in the resources of the page.
    pub(super) fn name(&self) -> String {
        format!("F{}", self.place)
    }

    /// Encodes the letters of a run with the glyph numbers of the file.
    pub(super) fn shown(&mut self, run: &Run) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (c, glyph) in run.text.chars().zip(&run.glyphs) {
            let number = self.letters.remap(glyph.id);
            self.meanings.entry(number).or_insert(c);
            bytes.extend_from_slice(&number.to_be_bytes());
        }
        bytes
    }

    /// Writes the font with all its objects.
    pub(super) fn write(&self, id: Ref, next: &mut impl FnMut() -> Ref, pdf: &mut Pdf) -> Result<(), FigureError> {
        let (data, index) = self.face.file();
        let fault = |reason: String| FigureError::Encoding { format: "PDF", reason };
        let subset = subsetter::subset(data, index, &self.letters).map_err(|error| fault(error.to_string()))?;
        let (outlines, is_cff) = program(&subset);
        let measures = self.face.read(|table| self.measures(table));
        let measures = measures.ok_or_else(|| fault("a font file cannot be read".to_owned()))?;
        let name = format!("{}+{}", self.tag(), measures.name);
        let parts = Parts { name: &name, is_cff, cid: next(), descriptor: next(), file: next(), meanings: next() };
        parts.describe(id, &measures, pdf);
        parts.embed(outlines, pdf);
        let mut meanings = UnicodeCmap::new(Name(b"Hemiola"), SYSTEM);
        for (&number, &c) in &self.meanings {
            meanings.pair(number, c);
        }
        pdf.cmap(parts.meanings, &meanings.finish()).name(Name(b"Hemiola")).system_info(SYSTEM);
        Ok(())
    }

    fn measures(&self, table: &ttf_parser::Face<'_>) -> Measures {
        let unit = 1000.0 / f32::from(table.units_per_em());
        let length = |units: i16| unit * f32::from(units);
        let bounds = table.global_bounding_box();
        let width = |glyph: u16| unit * f32::from(table.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0));
        let names = table.names().into_iter().filter(|name| name.name_id == ttf_parser::name_id::POST_SCRIPT_NAME);
        let name = names.filter_map(|name| name.to_string()).next().unwrap_or_else(|| "Font".to_owned());
        Measures {
            name: name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect(),
            bounds: Rect::new(length(bounds.x_min), length(bounds.y_min), length(bounds.x_max), length(bounds.y_max)),
            ascent: length(table.ascender()),
            descent: length(table.descender()),
            capital: length(table.capital_height().unwrap_or(table.ascender())),
            slant: table.italic_angle(),
            widths: self.letters.remapped_gids().map(width).collect(),
        }
    }

    /// Returns six letters that distinguish this subset from other subsets of the same font.
    fn tag(&self) -> String {
        // The 64-bit FNV-1a hash of the glyph numbers (Fowler, Noll and Vo).
        let numbers = self.letters.remapped_gids().flat_map(u16::to_be_bytes);
        let hash = numbers
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        (0..6).map(|k| char::from(b'A' + (hash >> (8 * k) & 0xff) as u8 % 26)).collect()
    }
}

/// Returns the part of a font file to embed, and whether it is CFF: the CFF table alone if there is one, otherwise the
/// file.
fn program(file: &[u8]) -> (&[u8], bool) {
    let table = ttf_parser::RawFace::parse(file, 0).ok().and_then(|face| face.table(Tag::from_bytes(b"CFF ")));
    table.map_or((file, false), |table| (table, true))
}
