import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("Rows of point queries")
struct PointQueryRowsTests {
    @Test(
        "A point query has the values, names and types of a query", arguments: TestScale.seeds(24)
    )
    func equality(seed: UInt64) throws {
        var table = try RandomTable(seed: seed)
        for _ in 0..<3 { try table.commitChanges() }
        let follower = try table.follower()
        var generator = SplitMix64(seed: seed)
        let followed = DatabaseSnapshot(try follower.snapshot(), now: Timestamp(seconds: 0))
        for snapshot in [try table.snapshot(), followed] {
            let schema = try #require(snapshot.schema.classNamed("Item"))
            for _ in 0..<20 {
                let query = BoundQuery(
                    classSchema: schema, stages: stages(schema, &generator), explain: false,
                    text: "")
                // Some do not exist, and some are duplicates.
                let rows = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                    RowID(UInt64.random(in: 0..<70, using: &generator))
                }
                try expectEqual(query, rows, snapshot, "seed \(seed)")
            }
        }
    }

    @Test("A point query follows links", arguments: TestScale.seeds(4))
    func links(seed: UInt64) throws {
        var store = try GraphStore(seed: seed)
        for _ in 0..<3 { try store.change() }
        let snapshot = DatabaseSnapshot(try store.snapshot(), now: Timestamp(seconds: 0))
        var linkCount = 0
        for schema in snapshot.schema.classes {
            let properties = schema.properties.filter { $0.type.container == .single }
            linkCount += properties.count { $0.mayLink }
            let query = BoundQuery(
                classSchema: schema,
                stages: [.project(properties.map { BoundProjection(whole: $0, of: schema) })],
                explain: false, text: "")
            for first in stride(from: UInt64(0), to: 40, by: 8) {
                let rows = (first..<first + 8).map { RowID($0) }
                try expectEqual(query, rows, snapshot, "seed \(seed)")
            }
        }
        #expect(linkCount > 0)
    }

    @Test("A point query returns properties of every kind")
    func kinds() throws {
        let rows: [[Value]] = [
            [
                .float(1.5), .data([1, 2]), .decimal128(Decimal128(high: 1, low: 2)),
                .objectID(ObjectID(high: 1, low: 2)), .uuid(UUID(high: 3, low: 4)),
                .list([.int(1), .map(["a": .string("b")])]),
            ],
            [.null, .null, .null, .null, .null, .null],
            [
                .float(.nan), .data([]), .decimal128(Decimal128(high: 0, low: 0)),
                .objectID(ObjectID(high: 0, low: 0)), .uuid(UUID(high: 0, low: 0)),
                .string("text"),
            ],
        ]
        let table = try StoredTable(
            [
                "a?": .float, "b?": .data, "c?": .decimal128, "d?": .objectID, "e?": .uuid,
                "f?": .any,
            ], rows)
        let snapshot = try table.snapshot()
        let schema = try #require(snapshot.schema.classNamed("Item"))
        let query = BoundQuery(classSchema: schema, stages: [], explain: false, text: "")
        try expectEqual(query, [2, 0, 1, 0].map { RowID($0) }, snapshot, "all kinds")
    }

    @Test("A point query has at most a few rows, with only single-valued properties")
    func others() throws {
        let table = try RandomTable(seed: 5)
        let snapshot = try table.snapshot()
        let schema = try #require(snapshot.schema.classNamed("Item"))
        let property = schema.properties[0]
        let column = BoundProjection(column: .property(property), name: "a")
        let wanted: [([BoundStage], Int, Bool)] = [
            ([], 8, true), ([], 9, false), ([.project([column])], 3, true),
            ([.project([column, BoundProjection(column: .rowID, name: "b")])], 3, false),
            ([.limit(1), .project([column])], 3, false), ([.count], 3, false),
        ]
        for (stages, count, isFew) in wanted {
            let query = BoundQuery(classSchema: schema, stages: stages, explain: false, text: "")
            let rows = try snapshot.rows(query, among: (0..<UInt64(count)).map { RowID($0) })
            #expect(rows is PointQueryRows == isFew, "\(stages), \(count)")
        }
    }

    private func stages(_ schema: ClassSchema, _ generator: inout SplitMix64) -> [BoundStage] {
        guard Bool.random(using: &generator) else { return [] }
        let chosen = schema.properties.shuffled(using: &generator).prefix(3)
        return [
            .project(
                chosen.enumerated().map {
                    BoundProjection(column: .property($1), name: "c\($0)")
                })
        ]
    }

    private func expectEqual(
        _ query: BoundQuery, _ rows: [RowID], _ snapshot: DatabaseSnapshot, _ comment: String
    ) throws {
        let few = try snapshot.rows(query, among: rows)
        #expect(few is PointQueryRows, "\(comment)")
        let long = try Execution(query, on: snapshot.snapshot, among: rows).rows()
        #expect(few.columns == long.columns, "\(comment)")
        // By their texts: NaN is not equal to itself.
        #expect("\(try values(few))" == "\(try values(long))", "\(comment): \(rows)")
    }

    private func values(_ rows: any ResultRows) throws -> [[Value]] {
        var found: [[Value]] = []
        while let batch = try rows.next() {
            for row in 0..<batch.rowCount {
                found.append(batch.vectors.map { $0.value(at: row) })
            }
        }
        return found
    }
}
