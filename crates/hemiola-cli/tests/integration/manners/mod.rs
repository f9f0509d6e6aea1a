mod book;
mod cli;
mod interrupt;
mod names_and_files;
mod run;
mod usage;
