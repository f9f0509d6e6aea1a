mod figures;
mod map;
mod reproduce;
mod simulate;
mod stability;
mod system;
