extension Realm {
    /// The action when an added object has the primary key of an existing object.
    public enum UpdatePolicy: Int, Sendable {
        /// Treat the existing object as a programming error, which stops the program.
        case error = 1
        /// Set only the properties of the existing object that differ.
        case modified = 3
        /// Set all properties of the existing object, and report all of them to its observers.
        case all = 2
    }

    static func noKeyToUpdateBy(_ type: ObjectBase.Type) -> String {
        "\(type.className()) has no primary key to update by: declare one with "
            + "@Persisted(primaryKey: true), or leave update out"
    }
}
