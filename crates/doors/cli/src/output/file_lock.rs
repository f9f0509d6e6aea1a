//! Locks on files that take long to compute. Without locks, two programs with the same target would overwrite each other's results.

use miette::Diagnostic;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use thiserror::Error;

use crate::failure::{Failure, hinted};
use crate::output::writer::WriteError;

/// File that another process is computing.
#[derive(Debug, Error, Diagnostic)]
#[error("{file}: another process is writing this file")]
#[diagnostic(help("wait until that process ends, or choose another file with --output"))]
pub(crate) struct LockedFile {
    file: PathBuf,
}

hinted!(LockedFile);

/// Lock on a hidden file next to the target, held until it is dropped or the process ends.
pub(crate) struct FileLock {
    place: PathBuf,
    /// Locked file; `None` on systems without locks, where nothing is locked.
    lock: Option<File>,
}

impl FileLock {
    /// Locks a file that is about to be computed.
    pub(crate) fn new(file: &Path) -> Result<Self, Failure> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let place = file.with_file_name(format!(".{name}.lock"));
        loop {
            let opened = File::options().write(true).create(true).truncate(false).open(&place);
            // The lock file of a killed process may belong to another user; reading suffices to lock it.
            let opened = opened.or_else(|problem| match problem.kind() {
                ErrorKind::PermissionDenied => File::open(&place),
                _ => Err(problem),
            });
            let opened = opened.map_err(|problem| WriteError::File { file: file.to_owned(), problem })?;
            match opened.try_lock() {
                // Another process may have removed the file after it was opened here, so that no other process would
                // see this lock.
                Ok(()) if is_there(&opened, &place) => return Ok(Self { place, lock: Some(opened) }),
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockedFile { file: file.to_owned() }.into()),
                Err(TryLockError::Error(_)) => return Ok(Self { place, lock: None }),
            }
        }
    }
}

/// Returns whether an open file is still the one of this name.
#[cfg(unix)]
fn is_there(opened: &File, place: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let there = opened.metadata().ok().zip(fs::metadata(place).ok());
    there.is_some_and(|(opened, there)| (opened.dev(), opened.ino()) == (there.dev(), there.ino()))
}

/// Returns true, since open files cannot be removed.
#[cfg(not(unix))]
fn is_there(_: &File, _: &Path) -> bool {
    true
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // The file is removed while it is locked, so that no other process holds a lock on it.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.place);
        }
        drop(self.lock.take());
        if !cfg!(unix) {
            let _ = fs::remove_file(&self.place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_claimed_once_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("pair.json");
        let claim = FileLock::new(&file).unwrap();
        let refused = |failure: Failure| failure.downcast_ref::<LockedFile>().is_some();
        assert!(FileLock::new(&file).is_err_and(refused));
        assert!(FileLock::new(&folder.path().join("other.json")).is_ok());
        drop(claim);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // The lock file of a killed process remains, but is not locked.
        fs::write(folder.path().join(".pair.json.lock"), "").unwrap();
        assert!(FileLock::new(&file).is_ok());
    }
}
