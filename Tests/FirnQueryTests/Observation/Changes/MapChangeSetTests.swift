import Testing

@testable import FirnQuery

@Suite("Changes of maps")
struct MapChangeSetTests {
    /// The possible states of one key in two steps: whether it exists, and whether it was set.
    private enum Step: CaseIterable {
        case nothing, set, drop
    }

    @Test("Two consecutive changes combine into one, for all states of a key")
    func compositions() {
        for isThere in [false, true] {
            for first in Step.allCases {
                for second in Step.allCases {
                    let (one, then) = change(isThere, first)
                    let (two, end) = change(then, second)
                    let isTouched = !one.isEmpty || !two.isEmpty
                    let expected = MapChangeSet(
                        deletions: isThere && !end ? ["k"] : [],
                        insertions: !isThere && end ? ["k"] : [],
                        modifications: isThere && end && isTouched ? ["k"] : [])
                    #expect(one.followed(by: two) == expected, "\(isThere) \(first) \(second)")
                }
            }
        }
    }

    private func change(_ isThere: Bool, _ step: Step) -> (changes: MapChangeSet, isThere: Bool) {
        switch step {
        case .nothing: (MapChangeSet(), isThere)
        case .set:
            (
                MapChangeSet(insertions: isThere ? [] : ["k"], modifications: isThere ? ["k"] : []),
                true
            )
        case .drop: (MapChangeSet(deletions: isThere ? ["k"] : []), false)
        }
    }

    @Test("Keys are ordered by their bytes")
    func order() {
        let changes = MapChangeSet(insertions: ["é", "b", "Z"])
        #expect(changes.insertions == ["Z", "b", "é"])
    }
}
