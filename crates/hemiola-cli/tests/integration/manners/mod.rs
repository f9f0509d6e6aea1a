mod cli;
mod documents;
mod interrupt;
mod names_and_files;
mod run;
mod usage;
