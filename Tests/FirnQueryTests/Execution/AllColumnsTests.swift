import FirnCodec
import FirnEngine
import FirnValues
import Testing

@testable import FirnQuery
@testable import FirnSyntax

@Suite("All columns, and the habits of other programs")
struct AllColumnsTests {
    private func table() throws -> StoredTable {
        try StoredTable(
            ["id": .int, "name?": .string, "pay": .double],
            [(1, "Ann", 9.0), (2, nil, 5), (3, "Cy", 4)].map { id, name, pay in
                [.int(Int64(id)), name.map { .string($0) } ?? .null, .double(pay)]
            })
    }

    private func text(_ stages: String) throws -> String {
        let result = try table().snapshot().query("Item " + stages)
        let names = result.columns.map(\.name).joined(separator: ",")
        var rows: [String] = []
        while let batch = try result.next() {
            for row in 0..<batch.rowCount {
                rows.append(batch.vectors.map { "\($0.value(at: row))" }.joined(separator: ","))
            }
        }
        return names + ": " + rows.joined(separator: " ")
    }

    @Test(
        "A star means all columns except those that are omitted or defined beside it",
        arguments: [
            ("id < 3 | select(*)", "id,name,pay: 1,Ann,9.0 2,null,5.0"),
            ("id < 3 | select(*, d = pay * 2)", "id,name,pay,d: 1,Ann,9.0,18.0 2,null,5.0,10.0"),
            ("id < 3 | select(d = pay * 2, *)", "d,id,name,pay: 18.0,1,Ann,9.0 10.0,2,null,5.0"),
            ("id == 1 | select(* EXCEPT name)", "id,pay: 1,9.0"),
            ("id == 1 | select(* EXCEPT name, pay)", "id: 1"),
            ("id == 1 | select(* EXCEPT name, pay, x = id + 1)", "id,x: 1,2"),
            ("id == 1 | select(* exclude (name), pay AS p)", "id,pay,p: 1,9.0,9.0"),
            ("id == 1 | select(*, name = upper(name))", "id,pay,name: 1,9.0,ANN"),
            ("id == 1 | select(a = id, b = pay) | select(*, c = a + b)", "a,b,c: 1,9.0,10.0"),
            (
                "| group(name == nil AS n; @count, s = @sum.pay) | select(* EXCEPT s)",
                "n,@count: false,2 true,1"
            ),
            (
                "| group(name == nil AS n; c = count(*)) | select(*, d = c * 2)",
                "n,c,d: false,2,4 true,1,2"
            ),
            (
                "id < 3 | select(*, total = @sum.pay)",
                "id,name,pay,total: 1,Ann,9.0,14.0 2,null,5.0,14.0"
            ),
            ("| count(*)", "count: 3"), ("| select(n = count(*), m = @max.pay)", "n,m: 3,9.0"),
        ])
    func star(stages: String, expected: String) throws {
        #expect(try text(stages) == expected)
    }

    @Test(
        "A wrong list of columns is refused at the position of the mistake",
        arguments: [
            ("| select(* EXCEPT nme)", "no column \"nme\" to leave out", "did you mean \"name\"?"),
            ("| select(* EXCEPT id, name, pay)", "no column is left", "leave out fewer of them"),
            ("| select(* EXCEPT)", "expected a column to leave out, found \")\"", nil),
            (
                "| select(* EXCEPT (name)",
                "expected \")\" to close select, found the end of the text", nil
            ),
            ("| select(*, *)", "two columns have the name \"id\"", "name one of them with AS"),
            ("| group(name; *)", "expected a condition or a value, found \"*\"", nil),
            (
                "| head 2", "expected an operator, AND, OR, SORT or \"|\", found \"2\"",
                "write LIMIT(2)"
            ),
            (
                "| tail 2", "expected an operator, AND, OR, SORT or \"|\", found \"2\"",
                "write SORT(property DESC) LIMIT(2)"
            ),
            ("| sort -pay", "this value is not compared with anything", "write SORT(pay DESC)"),
        ])
    func refused(stages: String, message: String, hint: String?) throws {
        let table = try table()
        let error = #expect(throws: QueryFailure.self) { _ = try table.rows("Item " + stages) }
        guard case .query(let found)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.message == message)
        #expect(found.hint == hint)
    }

    @Test("today() is the beginning of the day of now(), and is a constant")
    func today() throws {
        let snapshot = DatabaseSnapshot(
            try table().store.snapshot(), now: Timestamp(seconds: 100_000, nanoseconds: 5))
        #expect(
            try snapshot.rows("Item id == 1 | select(today())") == [
                [.date(Timestamp(seconds: 86_400))]
            ])
    }

    @Test(
        "The first word of a query in another language gets an explanation",
        arguments: [
            ("describe Item", ".describe CLASS"), ("summarize Item", ".describe CLASS"),
            ("explain Item", "| explain"), ("from Item", "the class comes first"),
        ])
    func firstWords(query: String, hint: String) throws {
        let table = try table()
        let error = #expect(throws: QueryFailure.self) { _ = try table.rows(query) }
        guard case .query(let found)? = error else { return }
        #expect(found.hint?.contains(hint) == true, "\(found)")
    }
}
