//! Which rules of the protocol are kept: all of them, except in a test that shows what one of them is for.

/// One rule of the protocol that a test can leave out.
///
/// Each rule is here because leaving it out lets a client read the past, or keeps a migration from ending. The model
/// and the history harness leave out one at a time and must notice: a checker that finds nothing is not yet a checker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rule {
    /// An overwrite deletes at the source *before* it writes at the target. The other way round there is a gap in
    /// which a new lease reads the old value.
    SourceBeforeTarget,
    /// `hold` stands between proxies that write sources and proxies that read targets.
    HoldBeforeCopy,
    /// A fill is accepted only under the lease that was taken before the fetch; an `add` cannot tell "never there"
    /// from "just deleted". Kept by whoever executes the commands.
    FillUnderLease,
    /// Targets are emptied of keys that they do not own before they begin to answer for them.
    PurgeTargets,
    /// `settle` stands between proxies that take leases and proxies that would show one as an empty value.
    SettleBeforeStable,
    /// An abort whose `hold` times out returns to `copy`, with the topologies as they were; not to `stable`.
    AbortReturnsToCopy,
    /// An epoch is acknowledged only when nothing begun under an earlier one can still reach a node.
    AcknowledgeWhenDrained,
    /// A command given up counts as under way until its connection has ended; closing it proves nothing.
    WaitForEndOfStream,
    /// An update acts on exactly what it looked at, never on a placeholder. Kept by whoever executes the commands.
    UpdateWhatWasSeen,
    /// A lease is used only on the connection that won it: a restarted server counts its tokens from 1 again. Kept by
    /// whoever executes the commands.
    LeaseEndsWithItsConnection,
    /// A lost source is first no longer read by anyone, and only then no longer deleted at.
    LossInTwoSteps,
    /// The copier deletes at the source also what the target has already; else `copy` need not end.
    CopierDeletesOnHit,
    /// A reader that lost its lease starts again at the target instead of answering a miss.
    LostLeaseStartsAgain,
}

impl Rule {
    /// Every rule, in the order of the enum.
    pub const ALL: [Rule; 13] = [
        Rule::SourceBeforeTarget,
        Rule::HoldBeforeCopy,
        Rule::FillUnderLease,
        Rule::PurgeTargets,
        Rule::SettleBeforeStable,
        Rule::AbortReturnsToCopy,
        Rule::AcknowledgeWhenDrained,
        Rule::WaitForEndOfStream,
        Rule::UpdateWhatWasSeen,
        Rule::LeaseEndsWithItsConnection,
        Rule::LossInTwoSteps,
        Rule::CopierDeletesOnHit,
        Rule::LostLeaseStartsAgain,
    ];
}

/// The rules in force. The default keeps all of them, and nothing but a test asks for anything else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Rules {
    broken: Option<Rule>,
}

impl Rules {
    /// All rules.
    pub const WHOLE: Rules = Rules { broken: None };

    /// All rules but one.
    pub const fn without(rule: Rule) -> Self {
        Rules { broken: Some(rule) }
    }

    /// Whether `rule` is in force.
    pub fn keeps(self, rule: Rule) -> bool {
        self.broken != Some(rule)
    }
}
