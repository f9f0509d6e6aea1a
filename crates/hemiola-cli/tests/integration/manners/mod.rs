mod cli;
mod interrupt;
mod manners;
