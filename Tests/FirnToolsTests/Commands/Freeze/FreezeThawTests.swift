import FirnEngine
import FirnQuery
import FirnTesting
import FirnTools
import FirnValues
import Testing

@Suite("firn freeze --thaw")
struct FreezeThawTests {
    private let harness = CommandHarness()
    private let file: String

    init() throws { file = try harness.makePeople() }

    private func run(_ words: String...) -> CommandHarness.Run { harness.run(words) }

    @Test("Thawing restores all objects in one commit and keeps the freeze")
    func thawed() {
        _ = run("freeze", file, "monday", "--expires", "never", "-q")
        let before = run("export", file).output
        _ = run("write", file, "-x", "Person id == 7 | delete", "-q")
        _ = run("write", file, "-x", "Person id == 9 | set age = 1", "-q")
        _ = harness.run(
            ["write", file, "-", "-c", "Person", "-q"],
            input: "{\"id\":1,\"name\":\"Di\",\"age\":3,\"city\":\"x\"}")
        let run = run("freeze", file, "--thaw", "monday", "-f", "text")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output == "thawed \"monday\" of \(file): 3 objects restored, version 6\n")
        #expect(self.run("query", file, "Person SORT(id)").output == sorted(before))
        #expect(self.run("freeze", file, "--exists", "monday").status == 0)
        #expect(self.run("check", file, "--deep").status == 0)
        // Its result is a commit like any other.
        #expect(
            self.run("query", file, "Person id == 1 | count", "--at", "@-1", "-r").output == "1\n")
    }

    /// The commit of a thaw went past the rule, and the next run of the replication took the restored
    /// objects out of the file again. A thaw also restored the subscriptions, and the state of the
    /// replication.
    @Test("Thawing a replicated file does not restore objects outside its subscriptions")
    func replicated() throws {
        _ = run("freeze", file, "monday", "--expires", "never", "-q")
        _ = run("write", file, "-x", "Person id == 7 | delete", "-q")
        try subscribe("Person id != 7")
        _ = run("freeze", file, "later", "--expires", "never", "-q")
        let before = run("export", file).output
        let refused = run("freeze", file, "--thaw", "monday")
        #expect(refused.status == 65, "\(refused)")
        #expect(
            refused.errors.contains(
                "no subscription of the file selects the new Person with the key 7"), "\(refused)")
        #expect(run("export", file).output == before)
        try subscribe("Person")
        #expect(run("freeze", file, "--thaw", "monday", "-q").status == 0)
        let store = try Store.open(file, readOnly: true)
        let subscribed = try StoredSubscriptions(try store.snapshot(), path: file).list.records
        #expect(subscribed.map(\.query) == ["Person"])
        try store.close()
        #expect(run("query", file, "Person id == 7 | count", "-r").output == "1\n")
    }

    /// Subscribes the file to a query, as if it were attached to a server.
    private func subscribe(_ query: String) throws {
        let store = try Store.open(file, readOnly: false)
        let transaction = try store.beginWrite()
        if transaction.schema.classNamed(SubscriptionClasses.upstreamName) == nil {
            _ = try transaction.addClasses([
                ClassDefinition(name: SubscriptionClasses.upstreamName, properties: [])
            ])
        }
        _ = try StoredSubscriptions.apply(
            [
                .removeAll(unnamedOnly: false),
                .put(UUID(high: 1, low: 1), name: nil, className: "Person", query: query),
            ], now: Timestamp(seconds: 0), in: transaction, path: file)
        _ = try transaction.commit()
        try store.close()
    }

    /// The schema was refused if it had ever changed, and the remedy was a copy in any case.
    @Test(
        "A version can be thawed if its schema is equal, otherwise only its objects can be restored"
    )
    func schemas() {
        _ = run("freeze", file, "monday", "--expires", "never", "-q")
        let before = run("query", file, "Person SORT(id)").output
        _ = run("alter", file, "add Person.x Int?", "-q")
        _ = run("write", file, "-x", "Person | set age = 1, x = 2", "-q")
        let refused = run("freeze", file, "--thaw", "monday")
        #expect(
            refused.errors.hasSuffix(
                "  restore its objects with: firn diff \(file) --from head --to monday "
                    + "| firn write \(file) --input observe -\n"), "\(refused)")
        let patch = run("diff", file, "--from", "head", "--to", "monday").output
        let written = harness.run(["write", file, "--input", "observe", "-"], input: patch)
        #expect(written.status == 0, "\(written)")
        let restored = "Person SORT(id) | select(id, name, age, city)"
        #expect(run("query", file, restored).output == before)
        _ = run("write", file, "-x", "Person | set age = 1", "-q")
        _ = run("alter", file, "remove Person.x", "-q")
        let thawed = run("freeze", file, "--thaw", "monday", "-q")
        #expect(thawed.status == 0, "\(thawed)")
        #expect(run("query", file, "Person SORT(id)").output == before)
        #expect(run("check", file, "--deep", "-q").status == 0)
        _ = run("alter", file, "rename Person.city town", "-q")
        let renamed = run("freeze", file, "--thaw", "monday")
        #expect(renamed.errors.contains("copy it to a new database with:"), "\(renamed)")
    }

    private func sorted(_ lines: String) -> String {
        lines.split(separator: "\n").sorted {
            $0.count < $1.count || ($0.count == $1.count && $0 < $1)
        }
        .map { $0 + "\n" }.joined()
    }

    /// Every change counted as an object: one that was deleted and recreated was two, one that was
    /// written to and then restored was one, and an embedded object was one or two more.
    @Test(
        "Thawing counts each object that differs once",
        arguments: [
            (["Person id == 9 | set age = 1", "Person id == 9 | set age = 33"], "", 0),
            (["Person id == 9 | set age = 1", "Person id == 9 | set age = 2"], "", 1),
            (["Person id == 9 | delete"], #"{"id":9,"name":"Cy","age":2,"city":"Rome"}"#, 1),
            (["Person id == 9 | delete"], #"{"id":10,"name":"Cy","age":2,"city":"Rome"}"#, 2),
        ])
    func counted(statements: [String], record: String, expected: Int) {
        _ = run("freeze", file, "monday", "--expires", "never", "-q")
        for statement in statements { _ = run("write", file, "-x", statement, "-q") }
        _ = harness.run(["write", file, "-", "-c", "Person", "-q"], input: record)
        let run = run("freeze", file, "--thaw", "monday", "-f", "json")
        #expect(run.output.contains("\"objects\":\(expected),"), "\(run)")
    }

    @Test("Thawing counts an object and its embedded objects as one")
    func embedded() {
        let shop = harness.folder("shop.firn")
        let made = harness.run(
            ["create", shop, "--from", "-", "-q"],
            input: """
                {"$class":"Item","name":"a","size":{"w":1}}
                {"$class":"Item","name":"b","size":{"w":2}}
                """)
        #expect(made.status == 0, "\(made.errors)")
        _ = run("freeze", shop, "monday", "--expires", "never", "-q")
        let edit = harness.run(
            ["write", shop, "-", "-c", "Item", "--update", "-q"],
            input: #"{"$id":1,"size":{"w":3}}"#)
        #expect(edit.status == 0, "\(edit.errors)")
        let run = run("freeze", shop, "--thaw", "monday", "-f", "text")
        #expect(run.output.contains(": 1 object restored"), "\(run)")
        #expect(self.run("query", shop, "Item", "-f", "json").output.contains(#""w":2"#))
    }

    @Test("Thawing without differences commits nothing")
    func unchanged() {
        _ = run("freeze", file, "monday", "--expires", "never", "-q")
        let run = run("freeze", file, "--thaw", "monday")
        #expect(run.status == 0)
        #expect(run.output.contains("\"thawed\":\"monday\",\"from\":1,\"version\":2,\"objects\":0"))
    }

    @Test("Version numbers and relative versions can be thawed")
    func references() {
        _ = run("write", file, "-x", "Person | delete", "-q")
        #expect(run("freeze", file, "--thaw", "@-1", "-q").status == 0)
        #expect(run("query", file, "Person | count", "-r").output == "3\n")
        #expect(run("freeze", file, "--thaw", "2", "-q").status == 0)
        #expect(run("query", file, "Person | count", "-r").output == "0\n")
    }

    @Test("A version that cannot be thawed is reported, and nothing changes")
    func refused() {
        #expect(run("freeze", file, "--thaw", "none").status == 66)
        #expect(run("freeze", file, "--thaw", "99").status == 69)
        #expect(run("freeze", file, "--thaw").status == 64)
        #expect(run("freeze", file, "--thaw", "a", "b").status == 64)
        #expect(run("freeze", file, "--thaw", "a", "--note", "x").status == 64)
        #expect(run("freeze", file, "--thaw", "--drop", "a").status == 64)
        _ = run("freeze", file, "monday", "--expires", "never", "-q")
        _ = run("alter", file, "add Person.tall Bool?", "-q")
        let run = run("freeze", file, "--thaw", "monday")
        #expect(run.status == 65, "\(run.errors)")
        #expect(run.errors.contains("version 1 cannot be thawed"), "\(run.errors)")
        #expect(run.errors.contains("--from head --to monday | firn write"), "\(run.errors)")
    }
}
