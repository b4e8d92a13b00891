import FirnTesting
import Testing

@testable import FirnQuery

@Suite("Change sets")
struct ChangeSetTests {
    @Test("The difference of any two small orders turns one into the other, and is minimal")
    func differences() {
        let orders = Orders.distinct(of: [1, 2, 3, 4])
        for old in orders {
            for new in orders {
                let changes = ChangeSet.difference(from: old, to: new)
                #expect(changes.applied(to: old) { new[$0] } == new)
                let staying = Orders.longestCommon(old, new)
                #expect(changes.deletions.count == old.count - staying, "\(old) \(new)")
                #expect(changes.insertions.count == new.count - staying, "\(old) \(new)")
                #expect(changes.modifications.isEmpty)
                check(changes.moves, of: changes, old, new)
            }
        }
    }

    /// Elements on both sides that did not stay have moved.
    private func check(
        _ moves: [ChangeSet.Move], of changes: ChangeSet, _ old: [Int], _ new: [Int]
    ) {
        for move in moves {
            #expect(old[move.from] == new[move.to])
            #expect(changes.deletions.contains(move.from))
            #expect(changes.insertions.contains(move.to))
        }
        let deleted = Set(changes.deletions.map { old[$0] })
        let inserted = Set(changes.insertions.map { new[$0] })
        #expect(Set(moves.map { old[$0.from] }) == deleted.intersection(inserted))
    }

    @Test("The difference of orders with duplicates turns one into the other, and is minimal")
    func repeated() {
        let orders = Orders.words(of: [1, 2], upTo: 5)
        for old in orders {
            for new in orders {
                let changes = ChangeSet.difference(from: old, to: new)
                #expect(changes.applied(to: old) { new[$0] } == new, "\(old) \(new)")
                #expect(Set(changes.moves.map(\.from)).count == changes.moves.count)
                #expect(Set(changes.moves.map(\.to)).count == changes.moves.count)
                for move in changes.moves { #expect(old[move.from] == new[move.to]) }
            }
        }
        // A removed and an inserted one are recognized as such.
        #expect(
            ChangeSet.difference(from: [1, 1, 2, 1], to: [1, 1, 2, 2, 1])
                == ChangeSet(insertions: [3]))
    }

    @Test("A modified element that is kept has its old index")
    func modifications() {
        let changes = ChangeSet.difference(from: [1, 2, 3, 4], to: [0, 2, 4, 3]) { $0 != 3 }
        #expect(changes.deletions.contains(0))
        #expect(changes.modifications.allSatisfy { !changes.deletions.contains($0) })
        #expect(changes.modifications.contains(1))
        #expect(!changes.modifications.contains(2))
        for (old, new) in zip(changes.modifications, changes.modificationsInNew) {
            #expect([1, 2, 3, 4][old] == [0, 2, 4, 3][new])
        }
    }

    @Test("An element that replaces another one is reported as a modification")
    func replacements() {
        #expect(
            ChangeSet.difference(from: [1, 2, 3], to: [1, 9, 3]).pairingReplacements
                == ChangeSet(modifications: [1]))
        #expect(
            ChangeSet.difference(from: [1, 2, 3], to: [8, 9, 7, 3]).pairingReplacements
                == ChangeSet(insertions: [2], modifications: [0, 1]))
        let orders = Orders.distinct(of: [1, 2, 3, 4])
        for old in orders {
            for new in orders {
                let changes = ChangeSet.difference(from: old, to: new)
                let paired = changes.pairingReplacements
                var result = paired.applied(to: old) { new[$0] }
                for index in paired.modificationsInNew { result[index] = new[index] }
                #expect(result == new, "\(old) \(new)")
                #expect(paired.moves == changes.moves)
                #expect(
                    paired.deletions.count + paired.modifications.count == changes.deletions.count)
            }
        }
    }

    @Test("Two consecutive changes combine into one, for all small orders")
    func compositions() {
        let orders = Orders.distinct(of: [1, 2, 3])
        for first in orders {
            for second in orders {
                for third in orders {
                    // Every second element is modified by one change, the others by the other.
                    let one = ChangeSet.difference(from: first, to: second) { $0 == 1 }
                    let two = ChangeSet.difference(from: second, to: third) { $0 != 1 }
                    check(one, two, count: first.count)
                }
            }
        }
    }

    @Test("Random changes to larger orders combine into one", arguments: TestScale.seeds(40))
    func randomCompositions(seed: UInt64) {
        var generator = SplitMix64(seed: seed &+ 700)
        var orders: [[Int]] = []
        for _ in 0..<6 {
            let count = Int.random(in: 0...30, using: &generator)
            orders.append(Array((0..<40).shuffled(using: &generator).prefix(count)))
        }
        var steps: [ChangeSet] = []
        for (old, new) in zip(orders, orders.dropFirst()) {
            let modified = Int.random(in: 2...5, using: &generator)
            steps.append(ChangeSet.difference(from: old, to: new) { $0 % modified == 0 })
        }
        for (one, two) in zip(steps, steps.dropFirst()) {
            check(one, two, count: orders[steps.firstIndex(of: one) ?? 0].count)
        }
        let whole = ChangeSet.composed(steps)
        #expect(whole.applied(to: orders[0]) { orders[5][$0] } == orders[5], "seed \(seed)")
        let oneByOne = steps.dropFirst().reduce(steps[0]) { $0.followed(by: $1) }
        #expect(whole == oneByOne, "seed \(seed)")
    }

    private func check(_ one: ChangeSet, _ two: ChangeSet, count: Int) {
        let expected = TrackedOrder(count: count).changed(by: one).changed(by: two).changes
        #expect(one.followed(by: two) == expected, "\(one) then \(two)")
    }

    @Test("Indices of kept elements are mapped in both directions")
    func places() {
        let changes = ChangeSet(deletions: [1, 4], insertions: [0, 3], modifications: [5])
        // 0 1 2 3 4 5  ->  + 0 2 + 3 5
        #expect((0..<6).map { changes.newIndex(of: $0) } == [1, nil, 2, 4, nil, 5])
        #expect((0..<6).map { changes.oldIndex(of: $0) } == [nil, 0, 2, nil, 3, 5])
        #expect(changes.modificationsInNew == [5])
        #expect(!changes.isEmpty)
        #expect(ChangeSet().isEmpty)
        #expect(ChangeSet.composed([]).isEmpty)
    }
}
