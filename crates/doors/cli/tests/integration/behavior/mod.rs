mod cli;
mod documents;
mod hostile_input;
mod interrupt;
mod names_and_files;
mod outputs;
mod run;
mod usage;
