//! Dependencies between the files of a crate, derived from the paths in its source, and their cycles.
//!
//! A file uses another one if one of its paths ends there. Names that a module re-exports (`pub use`) count for the
//! file that defines them, so that a module may re-export the names of its files without using them. They also count
//! for the module on the way if it does more than re-export: who takes a name from there depends on all of it. Tests
//! are exempt. Methods are not followed: an `impl` block belongs where the names it uses are known.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Path of a module from the root of its crate: empty for the root itself.
type Module = Vec<String>;

/// Files of a crate and their dependencies.
#[derive(Clone, Debug, Default)]
pub struct Crate {
    files: BTreeMap<Module, ModuleSource>,
}

#[derive(Clone, Debug, Default)]
struct ModuleSource {
    /// Paths that the code mentions, from the root of the crate.
    mentioned: Vec<Module>,
    /// Re-exported names with their origins.
    re_exported: BTreeMap<String, Module>,
    /// Whether the file contains only modules and re-exports.
    only_re_exports: bool,
}

impl Crate {
    /// Reads all files below a folder `src`.
    ///
    /// # Errors
    /// I/O errors, if a file cannot be read.
    pub fn read(src: &Path) -> std::io::Result<Self> {
        let mut texts = BTreeMap::new();
        for path in rust_files(src)? {
            let relative = path.strip_prefix(src).unwrap_or(&path).with_extension("");
            let mut module: Module = relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if module.last().is_some_and(|last| last == "mod") || ["lib", "main"].iter().any(|root| module == [*root]) {
                module.pop();
            }
            let is_test = module.last().is_some_and(|last| last.ends_with("tests"));
            if !is_test {
                texts.insert(module, fs::read_to_string(path)?);
            }
        }
        Ok(Self::new(&texts))
    }

    /// Builds a crate from the texts of its modules.
    #[must_use]
    pub fn new(texts: &BTreeMap<Module, String>) -> Self {
        let files = texts.iter().map(|(module, text)| (module.clone(), ModuleSource::new(module, text)));
        Self { files: files.collect() }
    }

    /// Returns the cycles: sets of files each of which uses every other one, directly or through others.
    #[must_use]
    pub fn circles(&self) -> Vec<Vec<String>> {
        let reached: BTreeMap<&Module, BTreeSet<Module>> =
            self.files.keys().map(|module| (module, self.reached_from(module))).collect();
        let mut circles = BTreeSet::new();
        for (module, reach) in &reached {
            if reach.contains(*module) {
                let both = reach.iter().filter(|other| reached.get(other).is_some_and(|back| back.contains(*module)));
                circles.insert(both.map(|module| module.join("::")).collect::<Vec<String>>());
            }
        }
        circles.into_iter().collect()
    }

    /// Returns the files that a file uses directly.
    #[must_use]
    pub fn used_by(&self, module: &[String]) -> BTreeSet<Module> {
        let Some(source) = self.files.get(module) else { return BTreeSet::new() };
        let mut used = BTreeSet::new();
        source.mentioned.iter().for_each(|path| self.follow(path, 0, &mut used));
        used.remove(module);
        used
    }

    fn reached_from(&self, module: &Module) -> BTreeSet<Module> {
        let mut reached = BTreeSet::new();
        let mut open = vec![module.clone()];
        while let Some(next) = open.pop() {
            open.extend(self.used_by(&next).into_iter().filter(|used| reached.insert(used.clone())));
        }
        reached
    }

    /// Collects the file in which a path ends and the files that re-export its names and contain more than that.
    fn follow(&self, path: &[String], depth: usize, files: &mut BTreeSet<Module>) {
        const DEEPEST: usize = 16;
        let known = (0..=path.len()).rev().find(|&length| self.files.contains_key(&path[..length]));
        let Some((module, rest)) = known.map(|length| path.split_at(length)) else { return };
        let source = &self.files[module];
        let origin = rest.first().and_then(|name| source.re_exported.get(name)).filter(|_| depth < DEEPEST);
        if origin.is_none() || !source.only_re_exports {
            files.insert(module.to_vec());
        }
        if let Some(origin) = origin {
            self.follow(&[origin, &rest[1..]].concat(), depth + 1, files);
        }
    }
}

fn rust_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

impl ModuleSource {
    fn new(module: &[String], text: &str) -> Self {
        let tokens = without_tests(&tokens(text));
        let children: BTreeSet<&str> =
            tokens.windows(3).filter(|w| w[0] == "mod" && w[2] == ";").map(|w| w[1].as_str()).collect();
        let mut source = Self { only_re_exports: only_re_exports(&tokens), ..Self::default() };
        let mut at = 0;
        while at < tokens.len() {
            let is_start = at == 0 || tokens[at - 1] != "::";
            let base = match tokens[at].as_str() {
                "crate" => Some(Vec::new()),
                "self" => Some(module.to_vec()),
                "super" => module.split_last().map(|(_, parent)| parent.to_vec()),
                child if children.contains(child) => Some([module, &[child.to_owned()]].concat()),
                _ => None,
            };
            let follows = tokens.get(at + 1).is_some_and(|next| next == "::");
            let (Some(base), true, true) = (base, is_start, follows) else {
                at += 1;
                continue;
            };
            let re_exports = is_re_export(&tokens[..at]);
            let mut paths = Vec::new();
            at = read_paths(&tokens, at + 2, &base, &mut paths);
            for (path, name) in paths {
                if re_exports {
                    source.re_exported.insert(name, path);
                } else {
                    source.mentioned.push(path);
                }
            }
        }
        source
    }
}

/// Returns whether every item is a module in a file of its own or a `pub use`.
fn only_re_exports(tokens: &[String]) -> bool {
    let mut items = tokens.split(|token| token == ";").filter(|item| !item.is_empty());
    items.all(|item| {
        // Attributes stand before the item.
        let words = item.iter().rposition(|token| token == "]").map_or(item, |end| &item[end + 1..]);
        let is_module = words.len() >= 2 && words[words.len() - 2] == "mod";
        is_module || words.first().is_some_and(|first| first == "pub") && words.iter().any(|word| word == "use")
    })
}

/// Returns whether a path begins a `pub use` or `pub(crate) use`, or stands in the braces of one.
fn is_re_export(before: &[String]) -> bool {
    let statement = before.rsplit(|token| token == ";").next().unwrap_or_default();
    let mut words = statement.iter().skip_while(|token| *token != "pub").map(String::as_str);
    let public = words.next() == Some("pub");
    public && statement.iter().any(|token| token == "use") && statement.last().is_some_and(|last| last == "use")
}

/// Reads the paths of a tree that begins at a token, each with its local name. Returns the position after them.
fn read_paths(tokens: &[String], mut at: usize, base: &[String], paths: &mut Vec<(Module, String)>) -> usize {
    let Some(token) = tokens.get(at) else { return at };
    if token == "{" {
        at += 1;
        while tokens.get(at).is_some_and(|token| token != "}") {
            at = read_paths(tokens, at, base, paths);
            at += usize::from(tokens.get(at).is_some_and(|token| token == ","));
        }
        return at + 1;
    }
    let path = match token.as_str() {
        "self" => base.to_vec(),
        "super" => base.split_last().map_or_else(Vec::new, |(_, parent)| parent.to_vec()),
        name => [base, &[name.to_owned()]].concat(),
    };
    at += 1;
    if tokens.get(at).is_some_and(|token| token == "::") {
        return read_paths(tokens, at + 1, &path, paths);
    }
    let mut name = path.last().cloned().unwrap_or_default();
    if tokens.get(at).is_some_and(|token| token == "as") {
        name = tokens.get(at + 1).cloned().unwrap_or_default();
        at += 2;
    }
    paths.push((path, name));
    at
}

/// Removes items that are compiled only for tests: `#[cfg(test)]` and the item after it.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].len() >= ATTRIBUTE.len()
            && tokens[at..].iter().zip(ATTRIBUTE).all(|(token, sign)| token == sign)
        {
            at = end_of_item(tokens, at + ATTRIBUTE.len());
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// Returns the position after an item: after its semicolon, or after the brace that closes its first one.
fn end_of_item(tokens: &[String], from: usize) -> usize {
    let mut depth = 0_usize;
    for (k, token) in tokens.iter().enumerate().skip(from) {
        match token.as_str() {
            ";" if depth == 0 => return k + 1,
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return k + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// Splits code into identifiers, `::` and single signs, without comments.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    for line in code.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = if first.is_alphanumeric() || first == '_' {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            } else if rest.starts_with("::") {
                2
            } else {
                first.len_utf8()
            };
            if !first.is_whitespace() {
                tokens.push(rest[..length].to_owned());
            }
            rest = &rest[length..];
        }
    }
    tokens
}

/// Lists folders that directly contain more than `most` Rust files, with the number of files.
///
/// # Errors
/// I/O errors, if a folder cannot be read.
pub fn crowded_folders(folder: &Path, most: usize) -> std::io::Result<Vec<(PathBuf, usize)>> {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for file in rust_files(folder)? {
        *counts.entry(file.parent().unwrap_or(folder).to_owned()).or_default() += 1;
    }
    Ok(counts.into_iter().filter(|(_, count)| *count > most).collect())
}

/// Lists Rust files with more than `most` lines.
///
/// # Errors
/// I/O errors, if a file cannot be read.
pub fn long_files(folder: &Path, most: usize) -> std::io::Result<Vec<(PathBuf, usize)>> {
    let mut long = Vec::new();
    for file in rust_files(folder)? {
        let lines = fs::read_to_string(&file)?.lines().count();
        if lines > most {
            long.push((file, lines));
        }
    }
    Ok(long)
}
