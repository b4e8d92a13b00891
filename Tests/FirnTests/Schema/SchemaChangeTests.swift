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

@Suite("A model that changes")
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

    @Test("gives the objects that exist what new properties begin with")
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
        // The older model does not know the columns, and works on.
        let realm = try open(test, Before.Task.self)
        try realm.write { realm.add(Before.Task(value: [2, "read"])) }
        #expect(realm.objects(Before.Task.self).map(\.title) == ["write", "read"])
    }

    /// Everything that the older model does not know became zero or nil.
    @Test("lets older programs update objects, which keep what those do not know")
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

    @Test("in other ways than additions is a mismatch, and the file stays as it is")
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

    @Test("in other ways begins a new file if the program says so")
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

    /// What the file said about it stayed what the first model had said.
    @Test("marks what it indexes in the file, once, and leaves other marks there")
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
    }

    /// It stopped the program, as no object is there that could be linked to.
    @Test(
        "gives objects that exist no object in a property of type Any, which a new one begins with")
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

    @Test("must not have a lower version than the file")
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
