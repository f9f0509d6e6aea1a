mod cli;
mod documents;
mod hostile;
mod interrupt;
mod names_and_files;
mod outputs;
mod run;
mod usage;
