import FirnEngine
import FirnQuery
import FirnValues

/// The classes of a ``Realm``.
///
///     for type in realm.schema.objectSchema {
///         print(type.className, type.properties.map(\.name))
///     }
public struct Schema: Equatable, Sendable {
    /// All classes of the file by name, including those that the program does not declare.
    public let objectSchema: [ObjectSchema]

    /// Accesses the class with a name, or `nil` if there is none.
    public subscript(className: String) -> ObjectSchema? {
        objectSchema.first { $0.className == className }
    }
}

extension Schema: CustomStringConvertible {
    /// A textual representation of the classes in braces.
    public var description: String {
        "Schema {\n" + objectSchema.map { $0.description.indented + "\n" }.joined() + "}"
    }
}

extension String {
    /// The string with a tab in front of each line.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { "\t" + $0 }.joined(separator: "\n")
    }
}

extension Realm {
    /// The classes of the file in the version that the realm shows.
    ///
    /// The classes that store the ``subscriptions`` of the realm are not included.
    ///
    /// - Complexity: O(properties)
    public var schema: Schema {
        instance.checkConfinement()
        return Schema(
            objectSchema: instance.snapshot.schema.classes
                .filter { !SubscriptionClasses.contain($0.name) }.sorted { $0.name < $1.name }
                .map { instance.objectSchema($0) })
    }
}
