import FirnTesting
import FirnValues
import Testing

@testable import FirnEngine

/// A small history, whose readable versions are found by asking for each.
private struct SmallHistory {
    enum Commit: CaseIterable {
        case operations
        case pages
        /// A version that is lost.
        case lost
    }

    /// The commits of the versions from 1 on.
    let commits: [Commit]
    /// The versions with a root.
    let candidates: [UInt64]
    let freezes: [UInt64]
    let commitCount: Int

    var newest: UInt64 { UInt64(commits.count) }

    var spans: [HistoryPlan.Span] {
        commits.enumerated().compactMap { index, commit in
            guard commit != .lost else { return nil }
            let lsn = LSN(UInt64(index) + 1)
            return HistoryPlan.Span(
                first: lsn, last: lsn, byteCount: 1, barriers: commit == .pages ? [lsn] : [])
        }
    }

    /// - Parameter isUnchanged: whether all roots have the same objects, so that freezes share
    ///   them.
    func plan(
        heldByteCountMaximum: UInt64, heldByteCount: UInt64, isUnchanged: Bool = false
    ) -> HistoryPlan {
        var content: PageReference?
        if isUnchanged {
            content = PageReference(start: 40, byteCount: 9, headByteCount: 9, checksum: 1)
        }
        return HistoryPlan(
            // The version after the last candidate, which is the current root then.
            newest: HistoryPlan.Candidate(
                version: RootVersion((candidates.last ?? 0) * 10 + 1), lsn: LSN(newest)),
            candidates: candidates.map {
                HistoryPlan.Candidate(version: RootVersion($0 * 10), lsn: LSN($0), content: content)
            },
            spans: spans, freezes: freezes.map { LSN($0) },
            policy: HistoryPolicy(byteCount: 1000, commitCount: commitCount),
            heldByteCountMaximum: heldByteCountMaximum,
            held: { roots, _ in
                Dictionary(uniqueKeysWithValues: roots.map { ($0, heldByteCount) })
            })
    }

    /// The root outside of the policy that is kept because those inside reach less than half of it.
    func outermost(before inside: UInt64) -> UInt64? {
        guard commitCount > 0, newest - inside < UInt64((commitCount + 1) / 2),
            let root = candidates.last(where: { $0 < inside }),
            (root...newest).allSatisfy({ version in
                isReadable(version, from: candidates.filter { $0 >= root })
            })
        else { return nil }
        return root
    }

    /// Whether some root leads to the version over commits for which `isKept` holds.
    func isReadable(
        _ version: UInt64, from roots: [UInt64], isKept: (UInt64) -> Bool = { _ in true }
    ) -> Bool {
        (roots + [newest]).contains { root in
            root <= version
                && (root..<version).allSatisfy {
                    commits[Int($0)] == .operations && isKept($0 + 1)
                }
        }
    }
}

@Suite("Plans for the history of a new root")
struct HistoryPlanTests {
    private static func forEachHistory(_ body: (SmallHistory) -> Void) {
        let length = 4
        for code in 0..<81 {
            let commits = (0..<length).map { place in
                SmallHistory.Commit.allCases[code / [1, 3, 9, 27][place] % 3]
            }
            for bits in 0..<(1 << length) {
                let candidates = (0..<UInt64(length)).filter { bits >> Int($0) & 1 == 1 }
                for commitCount in 0...4 {
                    for freezes in [[], [0], [1], [2], [3], [4], [1, 3], [0, 2]] as [[UInt64]] {
                        body(
                            SmallHistory(
                                commits: commits, candidates: candidates, freezes: freezes,
                                commitCount: commitCount))
                    }
                }
            }
        }
    }

    /// All versions within the policy that were readable stay readable, and so do all frozen ones.
    @Test(
        "A plan keeps exactly what the policy and the freezes need, for every small history",
        arguments: [false, true])
    func everySmallHistory(isUnchanged: Bool) {
        Self.forEachHistory { history in
            let plan = history.plan(
                heldByteCountMaximum: 0, heldByteCount: 0, isUnchanged: isUnchanged)
            let kept = plan.roots.map { $0.rawValue / 10 }
            let context: Comment = "\(history): \(plan)"
            #expect(Set(kept).isSubset(of: history.candidates), context)
            var keptCommits: Set<UInt64> = []
            for (span, isKept) in zip(history.spans, plan.keepsSpan) where isKept {
                keptCommits.insert(span.first.rawValue)
            }
            func isReadable(_ version: UInt64) -> Bool {
                history.isReadable(version, from: kept) { keptCommits.contains($0) }
            }
            let possible = history.candidates.first { root in
                let within = history.candidates.filter { $0 >= root }
                return history.newest - root <= UInt64(history.commitCount)
                    && (root...history.newest).allSatisfy {
                        history.isReadable($0, from: within)
                    }
            }
            let inside = possible ?? history.newest
            #expect(
                plan.oldest.rawValue == history.outermost(before: inside) ?? inside, context)
            for version in plan.oldest.rawValue...history.newest {
                #expect(isReadable(version), context)
            }
            for version in history.freezes
            where history.isReadable(version, from: history.candidates) {
                #expect(isReadable(version), context)
            }
        }
    }

    @Test("A plan drops the oldest roots if they keep too many pages")
    func heldPages() {
        Self.forEachHistory { history in
            let free = history.plan(heldByteCountMaximum: 0, heldByteCount: 0)
            let plan = history.plan(heldByteCountMaximum: 5, heldByteCount: 4)
            let context: Comment = "\(history): \(plan)"
            #expect(Set(plan.roots).isSubset(of: free.roots), context)
            #expect(plan.oldest >= free.oldest, context)
            let frozen = history.plan(heldByteCountMaximum: 0, heldByteCount: 1).roots
            #expect(Set(frozen).isSubset(of: plan.roots), context)
            #expect(plan.roots.count <= frozen.count + 1, context)
        }
    }

    /// The oldest root advances in steps of half of the policy; the cost of each commit is
    /// constant.
    @Test("The history covers between half and all of the policy, with at most three roots")
    func alternation() {
        let policy = HistoryPolicy(byteCount: 1 << 30, commitCount: 100)
        var candidates = [HistoryPlan.Candidate(version: RootVersion(0), lsn: .zero)]
        var spans: [HistoryPlan.Span] = []
        for lsn in UInt64(1)...1000 {
            spans.append(
                HistoryPlan.Span(first: LSN(lsn), last: LSN(lsn), byteCount: 9, barriers: []))
            let newest = HistoryPlan.Candidate(version: RootVersion(lsn), lsn: LSN(lsn))
            let plan = HistoryPlan(
                newest: newest, candidates: candidates, spans: spans, freezes: [], policy: policy,
                heldByteCountMaximum: 0, held: { _, _ in [:] })
            let reach = lsn - plan.oldest.rawValue
            #expect(reach <= 100 && reach >= min(lsn, 49), "version \(lsn)")
            #expect(plan.roots.count <= 3)
            candidates = candidates.filter { plan.roots.contains($0.version) } + [newest]
            spans = zip(spans, plan.keepsSpan).filter(\.1).map(\.0)
            #expect(spans.count <= 100)
        }
    }

    @Test("The history is also limited by the byte count of its commits")
    func bytes() {
        let spans = (UInt64(1)...20).map {
            HistoryPlan.Span(first: LSN($0), last: LSN($0), byteCount: 10, barriers: [])
        }
        let plan = HistoryPlan(
            newest: .init(version: RootVersion(20), lsn: LSN(20)),
            candidates: [3, 11, 15].map { .init(version: RootVersion($0), lsn: LSN($0)) },
            spans: spans, freezes: [],
            policy: HistoryPolicy(byteCount: 95, commitCount: 1000), heldByteCountMaximum: 0,
            held: { _, _ in [:] })
        #expect(plan.oldest == LSN(11))
        #expect(plan.keepsSpan.count { $0 } == 9)
    }

    @Test("A run of commits ends where one is missing or wrote pages")
    func runs() {
        let runs = FrameRuns([
            .init(first: LSN(1), last: LSN(4), byteCount: 1, barriers: [LSN(3)]),
            .init(first: LSN(5), last: LSN(6), byteCount: 1, barriers: []),
            .init(first: LSN(8), last: LSN(8), byteCount: 1, barriers: [LSN(8)]),
        ])
        #expect(runs.runs == [1...2, 4...6])
        #expect(runs.cover(after: LSN(0), through: LSN(2)))
        #expect(!runs.cover(after: LSN(1), through: LSN(3)))
        #expect(runs.cover(after: LSN(3), through: LSN(6)))
        #expect(runs.end(after: LSN(6)) == LSN(6))
        #expect(runs.end(after: LSN(.max)) == LSN(.max))
    }
}
