mod export;
mod forms;
mod import;
