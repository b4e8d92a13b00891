import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Live values")
struct LiveValuesTests {
    private static let maintained = [
        "Order | count", "Order state == \"paid\" | count", "Order state == \"paid\" | exists",
        "Order | SORT(amount) | LIMIT(3) | count",
        "Order | project(@sum.amount AS s, @avg.amount AS a, @count AS n, @count.amount AS c)",
        "Order | SORT(state) | project(@min.total AS l, @max.total AS h)",
        "Order region != 1 | project(@sum.total AS s, @avg.total AS a)",
        "Order | project(@sum.price AS s, @avg.price AS a, @min.price AS l, @max.price AS h)",
        "Order | group(state; @count AS n)",
        "Order | group(state, region; @count AS n, @sum.amount AS s, @avg.amount AS a)",
        "Order amount > 0 | group(state; @min.total AS l, @max.total AS h, @count.total AS c)",
        "Order | group(state; @min.amount AS l, @max.amount AS h, @max.state AS t)",
        "Order | group(total; @count AS n)", "Order | group(price; @sum.price AS p)",
        "Order | group(customer; @count AS n)",
        "Order | group(customer.country; @count AS n, @sum.total AS t)",
        "Order customer.country == \"no\" | group(state; @count AS n, @max.amount AS m)",
        "Order | group(state; @sum.customer.@id AS s, @max.amount AS m)",
        "Order | group(state; @count AS n) | SORT(n DESC, state) | LIMIT(2)",
        "Order | group(state; @count AS n) | n > 2",
        "Order | group(state; @count AS n) | project(n)",
        "Order | group(state; @count AS n) | project(n * 2 AS twice, state)",
        "Order | group(state; @count AS n) | count",
        "Order | group(region; @sum.amount AS s) | project(@max.s AS m, @count AS n)",
        "Order | group(state, region; @count AS n) | DISTINCT(state)",
    ]
    private static let repeated = [
        "Order | SORT(amount) | LIMIT(5) | group(state; @count AS n)",
        "Order | SORT(amount DESC) | group(state; @count AS n)", "Order | DISTINCT(state) | count",
        "Order | LIMIT(4) | project(@sum.amount AS s, @max.customer.country AS c)",
    ]

    @Test(
        "After each of many random commits, the values equal the results of the query",
        arguments: TestScale.seeds(8))
    func random(seed: UInt64) throws {
        var orders = try LiveOrders(seed: seed)
        for _ in 0..<5 { try orders.commit() }
        let queries = try (Self.maintained + Self.repeated).map { try orders.query($0) }
        var snapshot = try orders.snapshot()
        let followers = try queries.map { try LiveValues($0, on: snapshot) }
        for number in 0..<60 {
            for _ in 0..<(number % 5 == 0 ? 3 : 1) { try orders.commit() }
            let next = try orders.snapshot()
            let changes = try orders.store.changes(from: snapshot.snapshot, to: next.snapshot)
            let step = LiveStep(from: snapshot, to: next, by: changes)
            for (query, follower) in zip(queries, followers) {
                let old = try follower.texts(in: snapshot)
                let change = try follower.advance(step)
                let new = try follower.texts(in: next)
                let expected = try next.texts(of: query)
                guard new == expected else {
                    Issue.record(
                        "seed \(seed), commit \(number), \(query.text): \(new), not \(expected)")
                    return
                }
                // Rows of other groups can have the same values.
                #expect(change != nil || old == new, "seed \(seed), \(query.text)")
                if let change { check(change, old, new, "seed \(seed), \(query.text)") }
            }
            RunCounters.histories.add(followers.count)
            snapshot = next
        }
    }

    /// Checks that the positions of a change turn the old rows into the new ones.
    private func check(_ change: ValueChange, _ old: [String], _ new: [String], _ name: String) {
        var rows = old
        for index in change.changes.deletions.reversed() { rows.remove(at: index) }
        for index in change.changes.insertions { rows.insert(new[index], at: index) }
        for index in change.changes.modificationsInNew { rows[index] = new[index] }
        #expect(rows == new, "\(name)")
        for (from, to) in zip(change.changes.modifications, change.changes.modificationsInNew) {
            #expect(change.old.identities[from] == change.new.identities[to], "\(name)")
            #expect(old[from] != new[to], "\(name)")
        }
    }

    @Test("Only queries whose values cannot be maintained are run again, and explain says so")
    func plans() throws {
        let orders = try LiveOrders(seed: 1)
        let snapshot = try orders.snapshot()
        for text in Self.maintained {
            let live = try LiveValues(orders.query(text), on: snapshot)
            #expect(live.reasonToRunAgain == nil, "\(text)")
        }
        for text in Self.repeated {
            let live = try LiveValues(orders.query(text), on: snapshot)
            let reason = try #require(live.reasonToRunAgain, "\(text)")
            let plan = try snapshot.texts(of: orders.query(text + " | explain"))
            #expect(plan.last?.contains("run again because of \(reason)") == true, "\(plan)")
        }
    }

    @Test("A group appears with its first object and disappears with its last one")
    func appearance() throws {
        let orders = try LiveOrders(seed: 1)
        let live = try LiveValues(
            orders.query("Order | group(state; @count AS n)"), on: orders.snapshot())
        #expect(live.table.rowCount == 0)
        var rows: [RowID] = []
        let first = try orders.step { rows.append(try orders.create(state: nil, in: $0)) }
        let appeared = try #require(try live.advance(first))
        #expect(appeared.changes.insertions == [0])
        #expect(live.table.firstValue(0) == .null && live.table.firstValue(1) == .int(1))
        let second = try orders.step {
            try orders.set("state", of: rows[0], to: .string("x"), in: $0)
        }
        let moved = try #require(try live.advance(second))
        #expect(moved.changes.deletions == [0] && moved.changes.insertions == [0])
        #expect(moved.changes.moves.isEmpty)
        let third = try orders.step { try $0.delete(rows[0], in: orders.order.id) }
        #expect(try live.advance(third)?.changes.deletions == [0])
        #expect(live.table.rowCount == 0)
    }

    @Test("A sum of integers that leaves the 64-bit range fails as the query does")
    func overflow() throws {
        let orders = try LiveOrders(seed: 1)
        let query = try orders.query("Order | group(state; @sum.amount AS s)")
        _ = try orders.step { try orders.create(state: "x", amount: .max, in: $0) }
        let live = try LiveValues(query, on: orders.snapshot())
        let step = try orders.step { try orders.create(state: "x", amount: 1, in: $0) }
        let expected = failure { _ = try step.new.texts(of: query) }
        #expect(expected.contains("leaves the range"))
        #expect(failure { _ = try live.advance(step) } == expected)
        #expect(failure { _ = try LiveValues(query, on: step.new) } == expected)
    }

    private func failure(_ body: () throws -> Void) -> String {
        do { try body() } catch { return "\(error)" }
        return ""
    }

    @Test("A group is recomputed only if its last minimum or maximum is removed")
    func extremes() throws {
        let orders = try LiveOrders(seed: 1)
        var rows: [RowID] = []
        _ = try orders.step { transaction in
            for amount in [1, 5, 5, 3] as [Int64] {
                rows.append(try orders.create(state: "x", amount: amount, in: transaction))
            }
        }
        let live = try LiveValues(
            orders.query("Order | group(state; @max.amount AS m)"), on: orders.snapshot())
        for (index, amount, count) in [(0, 2, 0), (1, 4, 0), (2, 9, 0), (2, 1, 1), (3, 0, 1)] {
            let step = try orders.step {
                try orders.set("amount", of: rows[index], to: .int(Int64(amount)), in: $0)
            }
            _ = try live.advance(step)
            #expect(live.recomputedCount == count, "\(index) is \(amount) now")
        }
        #expect(live.table.firstValue(1) == .int(4))
    }

    @Test("More groups than can be observed are an error that names the limit")
    func limit() throws {
        let orders = try LiveOrders(seed: 1)
        let query = try orders.query("Order | group(amount; @count AS n)")
        _ = try orders.step { transaction in
            for amount in 0..<Int64(ValueTable.rowCountMax) {
                try orders.create(state: nil, amount: amount, in: transaction)
            }
        }
        let live = try LiveValues(query, on: orders.snapshot())
        #expect(live.table.rowCount == 10_000)
        let step = try orders.step { try orders.create(state: nil, amount: -1, in: $0) }
        #expect(failure { _ = try live.advance(step) }.contains("more than 10000 groups"))
        #expect(failure { _ = try LiveValues(query, on: step.new) }.contains("10000 groups"))
    }

    @Test(
        "Following a commit reads no more of the file than one path down its trees",
        arguments: [
            "Order amount > 3 | count", "Order | group(state; @count AS n, @sum.total AS t)",
            "Order | project(@sum.amount AS s, @max.amount AS m)",
        ])
    func pages(text: String) throws {
        let few = try pagesRead(text, of: 100)
        let many = try pagesRead(text, of: 3_200)
        #expect(many <= few + 16, "\(few) pages of 100 objects, \(many) of 3200")
    }

    /// Nothing is cached in memory, and a row group has eight rows.
    private func pagesRead(_ text: String, of count: Int) throws -> Int {
        var options = StoreOptions()
        options.rowsPerGroup = 8
        options.cacheByteBudget = 0
        let orders = try LiveOrders(seed: 1, options: options)
        var rows: [RowID] = []
        _ = try orders.step { transaction in
            for number in 0..<count {
                rows.append(
                    try orders.create(
                        state: "s\(number % 5)", amount: Int64(number % 97), total: 0.5,
                        in: transaction))
            }
        }
        let live = try LiveValues(orders.query(text), on: orders.snapshot())
        let step = try orders.step { transaction in
            try orders.set("amount", of: rows[count / 2], to: .int(50), in: transaction)
            try orders.set("total", of: rows[count / 2], to: .double(2), in: transaction)
        }
        let before = step.old.snapshot.readCounts.pages + step.new.snapshot.readCounts.pages
        _ = try live.advance(step)
        return step.old.snapshot.readCounts.pages + step.new.snapshot.readCounts.pages - before
    }
}
