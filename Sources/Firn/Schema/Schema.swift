import FirnEngine
import FirnQuery

/// The classes of a ``Realm``.
///
///     for type in realm.schema.objectSchema {
///         print(type.className, type.properties.map(\.name))
///     }
public struct Schema: Equatable, Sendable {
    /// All classes of the file by their names, also those that the program does not declare.
    public let objectSchema: [ObjectSchema]

    /// The class of a name; `nil` if there is none.
    public subscript(className: String) -> ObjectSchema? {
        objectSchema.first { $0.className == className }
    }
}

extension Schema: CustomStringConvertible {
    /// The classes in braces.
    public var description: String {
        "Schema {\n" + objectSchema.map { $0.description.indented + "\n" }.joined() + "}"
    }
}

extension String {
    /// Each line with a tab in front.
    var indented: String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { "\t" + $0 }.joined(separator: "\n")
    }
}

extension Realm {
    /// The classes of the file, as the version has them that the realm shows, without those in which the
    /// realm keeps its ``subscriptions``.
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
