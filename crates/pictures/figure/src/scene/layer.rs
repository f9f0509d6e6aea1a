//! Layers: stacked items and groups of them.

use super::Shape;
use crate::geometry::{Point, Rect};
use crate::text::Text;

/// Content of a page, from bottom to top.
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
    /// Kind of the group, such as "panel" or "legend".
    pub(crate) class: &'static str,
    /// Title in plain text.
    pub(crate) title: String,
    /// Translation of the content.
    pub(crate) offset: Point,
    /// Visible rectangle, before the translation; `None` if everything is visible.
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

    /// Adds a group with the content drawn by `draw`, unless it is empty.
    pub(crate) fn group(&mut self, class: &'static str, draw: impl FnOnce(&mut Self)) {
        self.put(Group { class, ..Group::default() }, draw);
    }

    /// Adds a group clipped to a rectangle.
    pub(crate) fn clipped(&mut self, clip: Rect, draw: impl FnOnce(&mut Self)) {
        self.put(Group { class: "plot", clip: Some(clip), ..Group::default() }, draw);
    }

    /// Adds a group whose origin is at a point of the page.
    pub(crate) fn moved(&mut self, class: &'static str, offset: Point, draw: impl FnOnce(&mut Self)) {
        self.put(Group { class, offset, ..Group::default() }, draw);
    }

    /// Adds a group with a title.
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
