extension Realm {
    /// What adding an object does when one with its primary key is there already.
    public enum UpdatePolicy: Int, Sendable {
        /// It is a mistake of the program.
        case error = 1
        /// The object that is there gets the values that differ.
        case modified = 3
        /// The object that is there gets all values, and those that observe it are told of all.
        case all = 2
    }

    static func noKeyToUpdateBy(_ type: ObjectBase.Type) -> String {
        "\(type.className()) has no primary key to update by: declare one with "
            + "@Persisted(primaryKey: true), or leave update out"
    }
}
