import Firn
import FirnTesting
import Foundation
import Testing

/// The command, and a program that has the same file open.
@Suite("One file used by the command and a program")
struct TwoFacesTests {
    private let shop: Shop

    init() throws { shop = try Shop() }

    private func write(_ records: String, _ words: String...) throws {
        let firn = CommandRunner(try builtExecutable(named: "firn"))
        let run = try firn.run(["write", shop.path, "-"] + words, input: records)
        try #require(run.status == 0, "\(run)")
    }

    @Test("The program sees the writes of the command after a refresh")
    func commandWrites() throws {
        let realm = try Realm(configuration: shop.configuration)
        let all = realm.objects(Article.self).sorted(byKeyPath: "code")
        #expect(all.isEmpty)
        try write(
            """
            {"$class":"Article","code":"a","price":"12.50","stock":3,"small":-4,"weight":0.25,"isSold":true,\
            "since":"2020-02-03T04:05:06.789Z","serial":"123e4567-e89b-12d3-a456-426614174000",\
            "picture":"AAEC","origin":"0123456789abcdef01234567","tags":["x","y"],"sizes":{"L":1},\
            "maker":{"name":"Ann"},"similar":["b"],"notes":[{"text":"one"},{"text":"two"}]}
            {"$class":"Article","code":"b","price":"1","stock":0,"small":0,"isSold":false}

            """)
        #expect(all.isEmpty)
        #expect(realm.refresh())
        #expect(!realm.refresh())
        #expect(all.map(\.code) == ["a", "b"])
        let article = try #require(all.first)
        #expect(article.price == Decimal128("12.50"))
        #expect(
            article.stock == 3 && article.small == -4 && article.weight == 0.25 && article.isSold)
        #expect(article.since == Date(timeIntervalSince1970: 1_580_702_706.789))
        #expect(article.serial == UUID(uuidString: "123e4567-e89b-12d3-a456-426614174000"))
        #expect(article.picture == Data([0, 1, 2]))
        #expect(article.origin == ObjectId("0123456789abcdef01234567"))
        #expect(article.tags.sorted() == ["x", "y"] && article.sizes["L"] == 1)
        #expect(article.maker?.name == "Ann" && article.maker?.articles.first == article)
        #expect(article.similar.first == all[1])
        #expect(article.notes.map(\.text) == ["one", "two"])

        // Objects that the program holds follow changes and deletions by the command.
        let other = all[1]
        let changed = try shop.run(
            "write", "FILE", "-x", "Article code == \"a\" | set stock = stock + 1, extra = 7", "-x",
            "Article code == \"b\" | delete")
        try #require(changed.status == 0, "\(changed)")
        #expect(article.stock == 3 && !other.isInvalidated)
        #expect(realm.refresh())
        #expect(article.stock == 4 && article.extra == .int(7))
        #expect(other.isInvalidated && article.similar.isEmpty && all.count == 1)
    }

    @Test("The command sees the writes of the program immediately")
    func programWrites() throws {
        let realm = try Realm(configuration: shop.configuration)
        try realm.write {
            let article = Article(
                value: [
                    "code": "a", "price": Decimal128("12.50"), "weight": 0.25,
                ] as [String: Any])
            article.since = Date(timeIntervalSince1970: 0)
            article.picture = Data([0, 1, 2])
            article.serial = UUID(uuidString: "123e4567-e89b-12d3-a456-426614174000")
            article.origin = ObjectId("0123456789abcdef01234567")
            article.extra = .string("more")
            article.tags.insert("x")
            article.sizes["L"] = 1
            article.maker = Maker(value: ["name": "Ann"])
            article.notes.append(ArticleNote(value: ["text": "one"]))
            article.similar.append(
                Article(value: ["code": "b", "price": Decimal128(1)] as [String: Any]))
            realm.add(article)
        }
        let run = try shop.run("query", "FILE", "Article code == \"a\"")
        #expect(
            run.outputText == """
                {"code":"a","price":"12.50","stock":0,"small":0,"weight":0.25,"isSold":false,\
                "since":"1970-01-01T00:00:00Z","serial":"123e4567-e89b-12d3-a456-426614174000",\
                "picture":"AAEC","origin":"0123456789abcdef01234567","extra":"more","tags":["x"],\
                "sizes":{"L":1},"maker":"Ann","similar":["b"],"notes":[{"text":"one"}]}

                """, "\(run)")
        try realm.write {
            realm.delete(realm.objects(Article.self).where { $0.code == "b" })
        }
        #expect(try shop.run("query", "FILE", "Article", "--count", "-r").outputText == "1\n")
        #expect(try shop.run("check", "FILE").status == 0)
    }

    @Test("Only one of them writes at a time")
    func locking() throws {
        let realm = try Realm(configuration: shop.configuration)
        realm.beginWrite()
        realm.create(Maker.self, value: ["name": "Ann"])
        let refused = try shop.run(
            "write", "FILE", "-", "-c", "Maker", "--wait", "0", input: "{\"name\":\"Bob\"}\n")
        #expect(refused.status == 75, "\(refused)")
        // Uncommitted changes are invisible to others.
        #expect(try shop.run("query", "FILE", "Maker", "--count", "-r").outputText == "0\n")
        try realm.commitWrite()
        let written = try shop.run(
            "write", "FILE", "-", "-c", "Maker", input: "{\"name\":\"Bob\"}\n")
        #expect(written.status == 0, "\(written)")
        // A transaction starts on the newest version.
        try realm.write { #expect(realm.objects(Maker.self).count == 2) }
    }

    @Test("Classes and properties known to only one of them coexist")
    func schemas() throws {
        let made = try shop.run(
            "create", "FILE", "--from", "-", "--class", "Maker", "--key", "name", "-q",
            input: "name,town\nAnn,Oslo\n")
        try #require(made.status == 0, "\(made)")
        // The model lacks the town, and the file lacks the other classes.
        let realm = try Realm(configuration: shop.configuration)
        #expect(realm.objects(Maker.self).map(\.name) == ["Ann"])
        let added = try shop.run("alter", "FILE", "add Maker.size Int = 7", "add Town", "-q")
        try #require(added.status == 0, "\(added)")
        try realm.write { realm.add(Maker(value: ["name": "Bob"])) }
        let shown = try shop.run("query", "FILE", "Maker SORT(name)", "-s", "name,town,size")
        #expect(
            shown.outputText == """
                {"name":"Ann","town":"Oslo","size":7}
                {"name":"Bob","town":null,"size":0}

                """, "\(shown)")
        #expect(try shop.run("query", "FILE", "Article", "--count", "-r").outputText == "0\n")
    }

    @Test("A model that does not match the file is refused")
    func mismatch() throws {
        let made = try shop.run(
            "create", "FILE", "--from", "-", "--class", "Maker", "--key", "name", "-q",
            input: "name\n1\n")
        try #require(made.status == 0, "\(made)")
        let error = #expect(throws: Realm.Error.self) {
            try Realm(configuration: shop.configuration)
        }
        #expect(error?.code == .schemaMismatch)
        #expect(error?.message.contains("Maker.name") == true)
        #expect(error?.message.contains("firn alter") == true)
        let changed = try shop.run("alter", "FILE", "retype Maker.name String", "-q")
        try #require(changed.status == 0, "\(changed)")
        #expect(try Realm(configuration: shop.configuration).objects(Maker.self).first?.name == "1")
    }

    @Test("Subscriptions are hidden from the command, and both can write")
    func subscriptions() throws {
        let realm = try Realm(configuration: shop.configuration)
        let set = realm.subscriptions
        set.update { set.append(QuerySubscription<Article>(name: "few") { $0.stock < 2 }) }
        #expect(set.state == .complete)
        let schema = try shop.run("schema", "FILE", "-f", "text")
        #expect(schema.status == 0 && !schema.outputText.contains("firn."), "\(schema)")
        #expect(try !shop.run("export", "FILE").outputText.contains("few"))
        // Commits of another process leave them unchanged.
        try write(
            #"{"$class":"Article","code":"a","price":"1","stock":1,"small":0,"isSold":false}"#)
        #expect(realm.subscriptions.map(\.name) == ["few"])
        // They are visible by their class name, even in another process.
        let named = try shop.run("export", "FILE", "-c", "firn.Subscription", "-f", "ndjson")
        #expect(named.status == 0 && named.outputText.contains(#""name":"few""#), "\(named)")
        // Both write while the other has the file open; no change of either is lost.
        let second = realm.subscriptions
        second.update { second.append(QuerySubscription<Maker>(name: "makers")) }
        try write(#"{"$class":"Maker","name":"Ann"}"#)
        let again = try shop.run("export", "FILE", "-c", "firn.Subscription", "-f", "ndjson")
        #expect(again.outputText.split(separator: "\n").count == 2, "\(again)")
        #expect(set.state == .superseded && realm.subscriptions.count == 2)
        #expect(try shop.run("check", "FILE").status == 0)
    }
}
