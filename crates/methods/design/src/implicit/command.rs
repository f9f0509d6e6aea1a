//! The command that reproduces a diagonally implicit design, and the id of its method.

use crate::implicit::specification::{DiagonalStructure, Gamma, ImplicitKind, ImplicitSpecification};

impl ImplicitKind {
    /// Returns the word used on the command line.
    ///
    /// ```
    /// assert_eq!(hemiola_design::ImplicitKind::Additive.word(), "additive");
    /// ```
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Additive => "additive",
            Self::Slow => "slow",
            Self::Fast => "fast",
            Self::Both => "both",
        }
    }

    /// Returns whether all partitions have the same number of stages.
    ///
    /// ```
    /// use hemiola_design::ImplicitKind;
    /// assert!(ImplicitKind::Alone.has_one_size() && !ImplicitKind::Fast.has_one_size());
    /// ```
    #[must_use]
    pub fn has_one_size(self) -> bool {
        matches!(self, Self::Alone | Self::Additive)
    }
}

impl DiagonalStructure {
    /// Returns the word used on the command line.
    ///
    /// ```
    /// assert_eq!(hemiola_design::DiagonalStructure::Esdirk.word(), "esdirk");
    /// ```
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Dirk => "dirk",
            Self::Sdirk => "sdirk",
            Self::Esdirk => "esdirk",
        }
    }
}

impl ImplicitSpecification {
    /// Returns the numbers of evaluations that the command names: one, or those of the slow and the fast partition.
    fn sizes(&self) -> Vec<usize> {
        let count = if self.kind.has_one_size() { 1 } else { self.partitions.len() };
        self.partitions.iter().take(count).map(|shape| shape.evaluations).collect()
    }

    /// Returns the id of the method if no other is chosen.
    ///
    /// ```
    /// use hemiola_design::{ImplicitKind, ImplicitSpecification};
    /// let imex = ImplicitSpecification::new(ImplicitKind::Additive, &[7], 4);
    /// assert_eq!(imex.default_id(), "imex-7-order-4");
    /// ```
    #[must_use]
    pub fn default_id(&self) -> String {
        let sizes: Vec<String> = self.sizes().iter().map(ToString::to_string).collect();
        let kind = match self.kind {
            ImplicitKind::Alone => self.structure.word().to_owned(),
            ImplicitKind::Additive => "imex".to_owned(),
            kind => format!("{}-implicit", kind.word()),
        };
        format!("{kind}-{}-order-{}", sizes.join("-"), self.order)
    }

    /// Returns the command that reproduces the design.
    ///
    /// ```
    /// use hemiola_design::{ImplicitKind, ImplicitSpecification};
    /// let slow = ImplicitSpecification { embedded: true, ..ImplicitSpecification::new(ImplicitKind::Slow, &[4, 6], 3) };
    /// assert_eq!(slow.command(), "hemiola design --implicit slow --slow 4 --fast 6 --order 3 --embedded 2");
    /// ```
    #[must_use]
    pub fn command(&self) -> String {
        let sizes = self.sizes();
        let default = Self::new(self.kind, &sizes, self.order);
        let size = match sizes[..] {
            [slow, fast] => format!("--slow {slow} --fast {fast}"),
            _ => format!("--stages {}", self.stages()),
        };
        let mut command = format!("hemiola design --implicit {} {size} --order {}", self.kind.word(), self.order);
        let mut add = |is_given: bool, option: &str, value: String| {
            if is_given {
                command += &format!(" --{option} {value}");
            }
        };
        let is_default = self.structure == default.structure;
        add(!is_default, "diagonal", self.structure.word().to_owned());
        // Without an explicit first stage there is no choice.
        let is_free = self.structure == DiagonalStructure::Esdirk && self.stage_order != default.stage_order;
        add(is_free, "stage-order", self.stage_order.to_string());
        match &self.gamma {
            Gamma::Free => {}
            Gamma::Fixed(gamma) => add(true, "gamma", gamma.to_string()),
            Gamma::Root { coefficients, value } => {
                let coefficients: Vec<String> = coefficients.iter().map(ToString::to_string).collect();
                add(true, "gamma", format!("{}@{}", coefficients.join(","), value.to_f64().value()));
            }
        }
        add((self.largest - default.largest).abs() > 0.0, "largest", self.largest.to_string());
        let wedge = if self.joint_wedge < 90.0 { format!("@{}", self.joint_wedge) } else { String::new() };
        add(self.joint > 0.0, "joint", format!("{}{wedge}", self.joint));
        if let Some(internal) = self.internal {
            add(true, "internal", internal.to_string());
        }
        if let Some(start) = &self.start {
            add(true, "start", start.id().to_owned());
        }
        add(self.embedded, "embedded", self.order.saturating_sub(1).to_string());
        if let Some(order) = self.dense {
            add(true, "dense", order.to_string());
        }
        add(self.seed != default.seed, "seed", self.seed.to_string());
        add(self.starts != default.starts, "starts", self.starts.to_string());
        command
    }
}
