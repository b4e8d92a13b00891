import Firn
import FirnEngine
import FirnTesting
import FirnValues
import Foundation
import Testing

/// Two versions of one class of the file.
enum Before {
    class Task: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
    }
}

enum After {
    class Task: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var priority = 3
        @Persisted var tags: List<String>
        @Persisted var next: Task?
    }
}

enum Other {
    class Task: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id = ""
        @Persisted var title: String?
    }
}

enum Indexing {
    class Task: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id = 0
        @Persisted(indexed: true) var title = ""
    }
}

enum Linking {
    class Task: Object {
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var id = 0
        @Persisted var title = ""
        @Persisted var extra = AnyRealmValue.object(Hound("Rex"))
        @Persisted var number = AnyRealmValue.int(3)
    }
}

@Suite("Changes of a model")
struct SchemaChangeTests {
    private func open(
        _ test: TestRealm, _ type: Object.Type,
        _ change: (inout Realm.Configuration) -> Void = {
            _ in
        }
    ) throws -> Realm {
        var configuration = test.configuration
        configuration.objectTypes = [type]
        change(&configuration)
        return try Realm(configuration: configuration)
    }

    @Test("Existing objects get the initial values of new properties")
    func addition() throws {
        let test = TestRealm()
        do {
            let realm = try open(test, Before.Task.self)
            try realm.write { realm.add(Before.Task(value: [1, "write"])) }
        }
        do {
            let realm = try open(test, After.Task.self)
            let task = try #require(realm.object(ofType: After.Task.self, forPrimaryKey: 1))
            #expect(task.title == "write" && task.priority == 3)
            #expect(task.tags.isEmpty && task.next == nil)
        }
        // The older model does not know the columns, and continues to work.
        let realm = try open(test, Before.Task.self)
        try realm.write { realm.add(Before.Task(value: [2, "read"])) }
        #expect(realm.objects(Before.Task.self).map(\.title) == ["write", "read"])
    }

    /// All properties unknown to the older model became zero or nil.
    @Test("Older programs can update objects without losing properties unknown to them")
    func olderUpdate() throws {
        let test = TestRealm()
        do {
            let realm = try open(test, After.Task.self)
            try realm.write { realm.add(After.Task(value: [1, "write", 9, ["a"]])) }
        }
        do {
            let realm = try open(test, Before.Task.self)
            try realm.write { realm.add(Before.Task(value: [1, "read"]), update: .all) }
        }
        let realm = try open(test, After.Task.self)
        let task = try #require(realm.object(ofType: After.Task.self, forPrimaryKey: 1))
        #expect(task.title == "read" && task.priority == 9 && Array(task.tags) == ["a"])
    }

    @Test(
        "A change that is not an addition is a mismatch, and the file stays unchanged",
        .tags(.difference))
    func mismatch() throws {
        let test = TestRealm()
        do {
            let realm = try open(test, Before.Task.self)
            try realm.write { realm.add(Before.Task(value: [1, "write"])) }
        }
        do {
            _ = try open(test, Other.Task.self)
            Issue.record("opened")
        } catch Realm.Error.schemaMismatch {
        }
        let error = #expect(throws: Realm.Error.self) { try open(test, Other.Task.self) }
        #expect(error?.message.contains("Task.id") == true)
        #expect(error?.message.contains("Task.title") == true)
        #expect(try open(test, Before.Task.self).objects(Before.Task.self).count == 1)
    }

    @Test("A change that is not an addition starts a new file on request")
    func deletion() throws {
        let test = TestRealm()
        do {
            let realm = try open(test, Before.Task.self)
            try realm.write { realm.add(Before.Task(value: [1, "write"])) }
        }
        let realm = try open(test, Other.Task.self) { $0.deleteRealmIfMigrationNeeded = true }
        #expect(realm.isEmpty)
    }

    private struct Stored: Equatable {
        let isIndexed: Bool
        let version: LSN
    }

    /// The marks in the file remained those of the first model.
    @Test(
        "A model adds its indexes to the file, and removes indexes only with a higher version",
        .tags(.difference))
    func indexes() throws {
        let test = TestRealm()
        func stored() throws -> Stored {
            let snapshot = try Store.open(test.folder("test.firn"), readOnly: true).snapshot()
            let title = snapshot.schema.classNamed("Task")?.propertyNamed("title")
            return Stored(isIndexed: title?.isIndexed == true, version: snapshot.version)
        }
        do {
            let realm = try open(test, Before.Task.self)
            try realm.write { realm.add(Before.Task(value: [1, "write"])) }
        }
        let first = try stored()
        #expect(!first.isIndexed)
        do { _ = try open(test, Indexing.Task.self) { $0.readOnly = true } }
        #expect(try stored() == first)
        do {
            let realm = try open(test, Indexing.Task.self)
            #expect(realm.objects(Indexing.Task.self).first?.title == "write")
        }
        let marked = try stored()
        #expect(marked.isIndexed && marked.version > first.version)
        do { _ = try open(test, Indexing.Task.self) }
        do { _ = try open(test, Before.Task.self) }
        #expect(try stored() == marked)
        do { _ = try open(test, Before.Task.self) { $0.schemaVersion = 1 } }
        #expect(try stored().isIndexed)
        do { _ = try open(test, Before.Task.self) { $0.schemaVersion = 2 } }
        #expect(try !stored().isIndexed)
        do {
            let realm = try open(test, Indexing.Task.self) { $0.schemaVersion = 2 }
            #expect(realm.objects(Indexing.Task.self).where { $0.title == "write" }.count == 1)
        }
        #expect(try stored().isIndexed)
    }

    /// It stopped the program, because there is no object to link to.
    @Test(
        "Existing objects get nil in a new property of type Any whose initial value is an object")
    func linkToBeginWith() throws {
        let test = TestRealm()
        do {
            let realm = try open(test, Before.Task.self)
            try realm.write { realm.add(Before.Task(value: [1, "write"])) }
        }
        let realm = try open(test, Linking.Task.self) {
            $0.objectTypes = [Linking.Task.self, Hound.self, Citizen.self]
        }
        let first = try #require(realm.object(ofType: Linking.Task.self, forPrimaryKey: 1))
        #expect(first.extra == .none && first.number == .int(3))
        try realm.write { realm.add(Linking.Task(value: [2, "read"])) }
        let added = try #require(realm.object(ofType: Linking.Task.self, forPrimaryKey: 2))
        #expect(added.extra.object(Hound.self)?.name == "Rex")
    }

    @Test("A model with a lower version than the file is refused")
    func version() throws {
        let test = TestRealm()
        do { _ = try open(test, Before.Task.self) { $0.schemaVersion = 3 } }
        do { _ = try open(test, Before.Task.self) { $0.schemaVersion = 4 } }
        let error = #expect(throws: Realm.Error.self) {
            try open(test, Before.Task.self) { $0.schemaVersion = 3 }
        }
        #expect(error?.code == .schemaMismatch)
    }
}
