//! PDF: one page of the scene's size with vector graphics and searchable text.

mod content;
mod fonts;
mod streams;

use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, TextStr};

use crate::error::FigureError;
use crate::scene::Scene;
use content::Writer;
use streams::compressed;

impl Scene {
    /// Writes the scene as a PDF file with one page of the scene's size. The letters used are embedded.
    ///
    /// The output depends only on the scene: the file contains no date.
    ///
    /// ```
    /// use hemiola_figure::{Axis, Figure, Panel};
    ///
    /// let scene = Figure::one_column().panel(Panel::new(Axis::new("*x*"), Axis::new("*y*"))).scene()?;
    /// assert!(scene.to_pdf()?.starts_with(b"%PDF-"));
    /// # Ok::<(), hemiola_figure::FigureError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a font cannot be reduced to the letters used.
    pub fn to_pdf(&self) -> Result<Vec<u8>, FigureError> {
        let mut writer = Writer::new();
        let [width, height] = self.size.map(|length| length as f32);
        writer.layer(&self.content);
        let Writer { content, fonts, opacities, .. } = writer;
        let mut refs = (1..).map(Ref::new);
        let mut next = || refs.next().unwrap_or(Ref::new(1));
        let [catalog, pages, page, stream, info] = [next(), next(), next(), next(), next()];
        let mut pdf = Pdf::new();
        pdf.catalog(catalog).pages(pages);
        pdf.document_info(info).title(TextStr(&self.name)).subject(TextStr(&self.description));
        pdf.pages(pages).kids([page]).count(1);
        let named: Vec<(String, Ref)> = fonts.iter().map(|font| (font.name(), next())).collect();
        let mut sheet = pdf.page(page);
        sheet.parent(pages).media_box(Rect::new(0.0, 0.0, width, height)).contents(stream);
        let mut resources = sheet.resources();
        let mut dictionary = resources.fonts();
        for (name, reference) in &named {
            dictionary.pair(Name(name.as_bytes()), *reference);
        }
        dictionary.finish();
        let mut states = resources.ext_g_states();
        for (k, opacity) in opacities.iter().enumerate() {
            let mut state = states.insert(Name(content::state(k).as_bytes())).dict();
            state.pair(Name(b"ca"), *opacity as f32);
        }
        states.finish();
        resources.finish();
        sheet.finish();
        let bytes = compressed(&upright(content, height));
        pdf.stream(stream, &bytes).filter(Filter::FlateDecode);
        for (font, (_, reference)) in fonts.iter().zip(&named) {
            font.write(*reference, &mut next, &mut pdf)?;
        }
        Ok(pdf.finish())
    }
}

/// Prepends the transformation from y downwards to the upward y of PDF.
fn upright(content: Content, height: f32) -> Vec<u8> {
    let mut page = Content::new();
    page.transform([1.0, 0.0, 0.0, -1.0, 0.0, height]);
    let mut bytes = page.finish().to_vec();
    bytes.push(b'\n');
    bytes.extend_from_slice(&content.finish());
    bytes
}
