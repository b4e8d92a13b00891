import FirnCodec
import FirnEngine
import FirnTesting
import FirnValues
import Testing

@testable import FirnQuery

@Suite("A few objects that are shown without setting a query to work")
struct FewRowsTests {
    @Test("have the values, names and types that a query has", arguments: TestScale.seeds(24))
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
                // Some do not exist, and some are there twice.
                let rows = (0..<Int.random(in: 0...8, using: &generator)).map { _ in
                    RowID(UInt64.random(in: 0..<70, using: &generator))
                }
                let few = try snapshot.rows(query, among: rows)
                #expect(few is FewRows)
                let long = try Execution(query, on: snapshot.snapshot, among: rows).rows()
                #expect(few.columns == long.columns, "seed \(seed)")
                #expect(try values(few) == values(long), "seed \(seed): \(rows)")
            }
        }
    }

    @Test("are few, and nothing but single properties is shown of them")
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
            #expect(rows is FewRows == isFew, "\(stages), \(count)")
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
