//! Output files: regular files are replaced as a whole, everything else is written through.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Maximum number of symbolic links to follow, as in the Linux kernel.
const MOST_LINKS: usize = 40;

/// Writes a file. A regular file is replaced once its contents are complete, so that no reader ever sees a part
/// of them; see [`write_file_by`].
///
/// # Errors
/// The error of the operating system if the folder or the file is not writable.
pub fn write_file(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_file_by(path, |file| file.write_all(contents))
}

/// Writes a file piece by piece, for large contents.
///
/// A regular file keeps its mode, and its owner where the system allows it. A symbolic link stays and its target
/// is replaced. A device, a pipe and a descriptor (`/dev/stdout`, `/dev/fd/63`) are opened and written to.
///
/// ```
/// use std::io::Write;
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("numbers.txt");
/// hemiola_tableau::write_file_by(&path, |file| (1..4).try_for_each(|k| writeln!(file, "{k}")))?;
/// assert_eq!(std::fs::read_to_string(path)?, "1\n2\n3\n");
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// The errors of `write`, and the error of the operating system if the folder or the file is not writable. A
/// regular file is then left unchanged.
pub fn write_file_by(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match WriteTarget::of(path)? {
        WriteTarget::Through(file) => {
            let mut buffered = BufWriter::new(file);
            write(&mut buffered)?;
            buffered.flush()
        }
        WriteTarget::Replace { path, old } => replace(&path, old.as_ref(), write),
    }
}

/// Returns whether a path names an existing device, pipe or descriptor, which is written through.
///
/// ```
/// use hemiola_tableau::is_written_through;
/// assert!(!is_written_through("no-such-file.json".as_ref()));
/// assert!(!is_written_through(&std::env::temp_dir()), "a folder is not written at all");
/// ```
#[must_use]
pub fn is_written_through(path: &Path) -> bool {
    let is_special = |metadata: Metadata| !metadata.is_file() && !metadata.is_dir();
    follow_links(path).is_ok_and(|path| is_descriptor(&path) || fs::metadata(path).is_ok_and(is_special))
}

enum WriteTarget {
    /// Written through the opened file.
    Through(File),
    /// A regular file with its metadata, or a new file.
    Replace { path: PathBuf, old: Option<Metadata> },
}

impl WriteTarget {
    fn of(path: &Path) -> io::Result<Self> {
        let path = follow_links(path)?;
        if is_descriptor(&path) {
            return Ok(Self::Through(descriptor(&path)?));
        }
        match fs::metadata(&path) {
            Ok(old) if old.is_file() => {
                // A rename would also replace a file that its owner has made read-only.
                OpenOptions::new().write(true).open(&path)?;
                Ok(Self::Replace { path, old: Some(old) })
            }
            Ok(_) => Ok(Self::Through(OpenOptions::new().write(true).open(&path)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Self::Replace { path, old: None }),
            Err(error) => Err(error),
        }
    }
}

/// Follows a chain of symbolic links to its end, which need not exist. The system's links to open files are not
/// followed: they stand for the open file, although their text names a path.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if is_descriptor(&path) {
            return Ok(path);
        }
        match fs::read_link(&path) {
            // A relative target starts from the folder of the link; an absolute one replaces the path.
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many levels of symbolic links"))
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns whether a path is an entry of a process's folder of open files.
fn is_descriptor(path: &Path) -> bool {
    let is_number = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.parse::<u32>().is_ok());
    is_number
        && folder_of(path).canonicalize().is_ok_and(|folder| {
            folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"))
        })
}

/// Opens a writer to an open file. Standard output and error share their position with the streams of the
/// process; any other file is opened again and appended to.
fn descriptor(path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let is_ours = path.starts_with("/dev/fd")
            || folder_of(path).canonicalize()? == Path::new("/proc").join(std::process::id().to_string()).join("fd");
        match path.file_name().and_then(|name| name.to_str()) {
            Some("1") if is_ours => return Ok(io::stdout().as_fd().try_clone_to_owned()?.into()),
            Some("2") if is_ours => return Ok(io::stderr().as_fd().try_clone_to_owned()?.into()),
            _ => {}
        }
    }
    OpenOptions::new().append(true).open(path)
}

/// Writes a temporary file beside the target and replaces the target once the contents are on disk.
fn replace(
    path: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut builder = tempfile::Builder::new();
    if old.is_none() {
        // Temporary files are private to their owner, but a new result should be an ordinary file.
        set_ordinary_mode(&mut builder);
    }
    let mut file = BufWriter::new(builder.tempfile_in(folder_of(path))?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    if let Some(old) = old {
        keep(old, file.as_file())?;
    }
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Requests the mode of an ordinary file, from which the system subtracts the user's umask.
#[cfg(unix)]
fn set_ordinary_mode(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn set_ordinary_mode(_: &mut tempfile::Builder<'_, '_>) {}

/// Gives a file the owner and the mode of the file that it replaces.
#[cfg(unix)]
fn keep(old: &Metadata, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    // Only root may give files away.
    let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    file.set_permissions(old.permissions())
}

#[cfg(not(unix))]
fn keep(_: &Metadata, _: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn the_mode_is_kept_and_a_new_file_follows_the_umask() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("private.json");
        fs::write(&path, "old").unwrap();
        for kept in [0o600, 0o640, 0o755] {
            fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
            write_file(&path, b"new").unwrap();
            assert_eq!(mode(&path), kept);
        }
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        write_file(&ours, b"new").unwrap();
        fs::write(&plain, "new").unwrap();
        assert_eq!(mode(&ours), mode(&plain));
    }

    #[test]
    fn links_stay_and_their_targets_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("below")).unwrap();
        fs::write(path("below/target"), "old").unwrap();
        symlink("below/target", path("inner")).unwrap();
        symlink("inner", path("outer")).unwrap();
        symlink("below/missing", path("dangling")).unwrap();
        write_file(&path("outer"), b"new").unwrap();
        write_file(&path("dangling"), b"new").unwrap();
        for name in ["below/target", "below/missing"] {
            assert_eq!(fs::read_to_string(path(name)).unwrap(), "new", "{name}");
        }
        assert!(["inner", "outer", "dangling"].iter().all(|name| path(name).is_symlink()));
        symlink("loop", path("loop")).unwrap();
        assert!(write_file(&path("loop"), b"new").is_err());
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        fs::write(&path, "old").unwrap();
        let failed = write_file_by(&path, |file| {
            file.write_all(b"half")?;
            Err(io::Error::other("no more"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn descriptors_are_written_to() {
        use std::io::Read;
        use std::os::fd::AsRawFd;
        let (mut reader, writer) = io::pipe().unwrap();
        let path = PathBuf::from(format!("/dev/fd/{}", writer.as_raw_fd()));
        assert!(is_written_through(&path));
        write_file(&path, b"through the pipe").unwrap();
        drop(writer);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "through the pipe");
        // A regular file behind a descriptor is neither replaced nor truncated.
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("open");
        let mut open = File::create(&place).unwrap();
        open.write_all(b"first ").unwrap();
        write_file(format!("/dev/fd/{}", open.as_raw_fd()).as_ref(), b"second").unwrap();
        assert_eq!(fs::read_to_string(&place).unwrap(), "first second");
    }

    #[test]
    fn folders_are_refused_and_devices_stay() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write_file(folder.path(), b"text").is_err());
        assert!(write_file(&folder.path().join("no/such/folder"), b"text").is_err());
        assert!(is_written_through("/dev/null".as_ref()) && !is_written_through(folder.path()));
    }
}
