//! Layers: items one above the other, and groups of them.

use super::Shape;
use crate::geometry::{Point, Rect};
use crate::text::Text;

/// What stands on a page, the lowest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Layer {
    pub(crate) items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    Shape(Shape),
    Text(Text),
    Group(Group),
}

/// Items that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Group {
    /// The kind of thing that the group is: "panel", "legend".
    pub(crate) class: &'static str,
    /// What it is called, in plain text.
    pub(crate) title: String,
    /// By how much its content is moved.
    pub(crate) offset: Point,
    /// What of it is seen, if not all; before it is moved.
    pub(crate) clip: Option<Rect>,
    pub(crate) content: Layer,
}

impl Layer {
    pub(crate) fn shape(&mut self, shape: Shape) {
        if !shape.outlines.is_empty() {
            self.items.push(Item::Shape(shape));
        }
    }

    pub(crate) fn text(&mut self, text: Text) {
        self.items.push(Item::Text(text));
    }

    /// Adds a group with what `draw` puts into it, unless that is nothing.
    pub(crate) fn group(&mut self, class: &'static str, draw: impl FnOnce(&mut Self)) {
        self.put(Group { class, ..Group::default() }, draw);
    }

    /// Adds a group of which only the part inside a rectangle is seen.
    pub(crate) fn clipped(&mut self, clip: Rect, draw: impl FnOnce(&mut Self)) {
        self.put(Group { class: "plot", clip: Some(clip), ..Group::default() }, draw);
    }

    /// Adds a group that is drawn from a point of the page as its origin.
    pub(crate) fn moved(&mut self, class: &'static str, offset: Point, draw: impl FnOnce(&mut Self)) {
        self.put(Group { class, offset, ..Group::default() }, draw);
    }

    /// Adds what `draw` puts into a group with a title.
    pub(crate) fn titled(&mut self, class: &'static str, title: String, draw: impl FnOnce(&mut Self)) {
        self.put(Group { class, title, ..Group::default() }, draw);
    }

    fn put(&mut self, mut group: Group, draw: impl FnOnce(&mut Self)) {
        draw(&mut group.content);
        if !group.content.items.is_empty() {
            self.items.push(Item::Group(group));
        }
    }
}
