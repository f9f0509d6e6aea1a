//! `hemiola atlas`: a page for each method, an index and comparisons, as static HTML.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Args;
use hemiola::atlas::{AtlasEntry, AtlasError, SiteParts, atlas_by};
use hemiola::multirate::InfinitesimalMethod;
use hemiola::tableau::library::Library;
use hemiola::tableau::write_file;
use serde::Serialize;

use crate::arguments::multirate::{multirate, multirate_ids, ordinary_ids};
use crate::arguments::usage::OptionError;
use crate::arguments::{methods, source};
use crate::failure::{CommandError, CommandOutcome, Failure};
use crate::output::certificate;
use crate::output::progress::Monitor;
use crate::output::text::counted;
use crate::output::writer::{Output, WriteError};

impl CommandError for AtlasError {}

/// Write the library as static HTML: a page per method, an index and comparisons
#[derive(Args)]
#[command(after_help = "\
The folder contains index.html, methods/ (a page and a method file for each method, and an index that can be sorted \
and filtered), multirate/ (the same for multirate methods), comparisons/ and figures/. The pages need no server and no script; `python3 -m http.server --directory \
DIR` serves them. They link to the explorer and the book if the folder has them: scripts/site of the repository makes \
all three.

Pages are written as soon as they are complete; at the end, every link within the site is checked. Repeated runs write \
identical bytes.

Examples:
  hemiola atlas --folder site
  hemiola atlas --folder site --certificates designs
  hemiola atlas --folder mine --only mine.json,rk4,shome-haug-jay-2-5")]
pub(crate) struct Atlas {
    /// Folder for the pages; created if necessary
    #[arg(long, value_name = "DIR")]
    folder: PathBuf,

    /// Restrict the atlas to these methods: library ids or method files
    #[arg(long, value_name = "METHOD", value_delimiter = ',')]
    only: Vec<String>,

    /// Folder with certificates ID.certificate.json to check and show
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Summary of the files written.
#[derive(Serialize)]
struct Report {
    folder: String,
    methods: usize,
    pages: usize,
    figures: usize,
    bytes: usize,
}

impl Atlas {
    pub(crate) fn run(&self, library: &Library, output: &mut Output) -> Result<CommandOutcome, Failure> {
        if let Some(folder) = self.certificates.as_ref().filter(|folder| !folder.is_dir()) {
            return Err(OptionError::NoFolder { option: "--certificates", folder: folder.clone() }.into());
        }
        let (entries, multirates) = self.methods(library)?;
        let monitor = Monitor::new();
        // Each file is replaced as a whole, so Ctrl-C leaves complete pages.
        let write = |path: &str, contents: &[u8]| self.write(path, contents);
        let site = atlas_by(&entries, &multirates, self.parts(), &monitor, &write);
        let site = site.map_err(|error| self.named(error))?;
        monitor.finish();
        let ending = |ending: &str| site.files.keys().filter(|path| path.ends_with(ending)).count();
        let report = Report {
            folder: self.folder.display().to_string(),
            methods: entries.len() + multirates.len(),
            pages: ending(".html"),
            figures: site.files.keys().filter(|path| path.starts_with("figures/")).count(),
            bytes: site.files.values().map(Vec::len).sum(),
        };
        if self.json {
            output.json(&report)?;
        } else {
            let Report { folder, methods, pages, figures, .. } = report;
            output.line(&format!(
                "wrote {folder}: {} and {} of {}",
                counted(pages, "page"),
                counted(figures, "figure"),
                counted(methods, "method")
            ))?;
        }
        Ok(CommandOutcome::Done)
    }

    /// Returns the ordinary methods with their certificates and the multirate methods, both sorted by id.
    fn methods(&self, library: &Library) -> Result<(Vec<AtlasEntry>, Vec<InfinitesimalMethod>), Failure> {
        let names = if self.only.is_empty() { ordinary_ids(library)? } else { self.only.clone() };
        let mut multirates = BTreeMap::new();
        let mut ordinary = Vec::new();
        for name in names {
            match source::multirate_method(&name, library)? {
                Some(method) => drop(multirates.insert(method.id().to_owned(), method)),
                None => ordinary.push(name),
            }
        }
        if self.only.is_empty() {
            for id in multirate_ids(library)? {
                multirates.extend(multirate(&id, library)?.map(|method| (id, method)));
            }
        }
        Ok((self.entries(&ordinary, library)?, multirates.into_values().collect()))
    }

    fn entries(&self, names: &[String], library: &Library) -> Result<Vec<AtlasEntry>, Failure> {
        let found = methods::each(names, |name| {
            let method = source::method(name, library)?;
            let certificate = self.certificate(method.id())?;
            Ok((method.id().to_owned(), AtlasEntry { method, certificate }))
        })?;
        // A method that is given twice has one page.
        let by_id: BTreeMap<String, AtlasEntry> = found.into_iter().collect();
        Ok(by_id.into_values().collect())
    }

    fn certificate(&self, id: &str) -> Result<Option<hemiola::design::Certificate>, Failure> {
        let file = self.certificates.as_ref().map(|folder| folder.join(format!("{id}.certificate.json")));
        file.filter(|file| file.is_file()).map(|file| certificate::read(&file)).transpose()
    }

    /// Adds the folder to the name of a file that cannot be written.
    fn named(&self, error: AtlasError) -> Failure {
        match error {
            AtlasError::Write { path, problem } => WriteError::File { file: self.folder.join(path), problem }.into(),
            other => other.into(),
        }
    }

    /// Writes a file and creates its folders.
    fn write(&self, path: &str, contents: &[u8]) -> io::Result<()> {
        let file = self.folder.join(path);
        file.parent().map_or(Ok(()), fs::create_dir_all)?;
        write_file(&file, contents)
    }

    /// Returns the parts of the site that are already in the folder.
    fn parts(&self) -> SiteParts {
        let has = |part: &str| self.folder.join(part).join("index.html").is_file();
        SiteParts { explorer: has("explorer"), book: has("book") }
    }
}
