import FirnPlatform
import FirnTesting
import FirnValues

@testable import FirnEngine

/// An open database of numbers, as small as possible.
enum MarkStore {
    /// Creates one with an object, which was committed after the database got its name: with a log,
    /// if requested.
    ///
    /// Nothing is folded in the background: a thread that holds a lock at the moment of a fork
    /// holds it in the child forever.
    static func make(
        _ path: String, _ logging: StoreOptions.Logging, services: SystemServices = .real
    ) throws -> Store {
        var options = StoreOptions()
        options.logging = logging
        options.checkpointsInBackground = false
        let creation = try Store.create(path, services: services, options: options)
        let transaction = try creation.store.beginWrite()
        try transaction.addClass(
            ClassDefinition(
                name: "Mark",
                properties: [.init(name: "number", type: PropertyType(.int))], keyName: nil))
        _ = try transaction.commit()
        try creation.publish()
        try commit(0, to: creation.store)
        return creation.store
    }

    /// The class of the objects.
    static func mark(_ schema: Schema) throws -> ClassSchema {
        guard let mark = schema.classNamed("Mark") else { throw TestFailure("no class Mark") }
        return mark
    }

    /// Commits one more object.
    @discardableResult
    static func commit(_ number: Int64, to store: Store) throws -> LSN {
        let transaction = try store.beginWrite()
        try transaction.create(in: mark(transaction.schema).id, [.int(number)])
        return try transaction.commit()
    }
}
