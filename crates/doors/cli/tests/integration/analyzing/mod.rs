mod atlas;
mod figures;
mod map;
mod optimize;
mod reproduce;
mod simulate;
mod stability;
mod system;
