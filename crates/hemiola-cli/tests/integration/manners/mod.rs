mod cli;
mod interrupt;
mod manners;
mod run;
mod usage;
