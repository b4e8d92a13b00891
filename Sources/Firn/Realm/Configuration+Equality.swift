extension Realm.Configuration: Equatable {
    /// Returns a Boolean value that indicates whether two configurations are equal.
    ///
    /// Blocks cannot be compared. Two blocks are considered equal if both are present or both are
    /// `nil`.
    public static func == (left: Realm.Configuration, right: Realm.Configuration) -> Bool {
        left.fileURL == right.fileURL && left.inMemoryIdentifier == right.inMemoryIdentifier
            && left.encryptionKey == right.encryptionKey && left.readOnly == right.readOnly
            && left.schemaVersion == right.schemaVersion
            && left.deleteRealmIfMigrationNeeded == right.deleteRealmIfMigrationNeeded
            && (left.shouldCompactOnLaunch == nil) == (right.shouldCompactOnLaunch == nil)
            && left.objectTypes.map { $0.map(ObjectIdentifier.init) }
                == right.objectTypes.map { $0.map(ObjectIdentifier.init) }
            && left.maximumNumberOfActiveVersions == right.maximumNumberOfActiveVersions
            && left.seedFilePath == right.seedFilePath
    }
}

extension Realm.Configuration: CustomStringConvertible {
    /// The properties, one per line.
    ///
    /// Only the length of an encryption key is shown.
    public var description: String {
        let types = objectTypes?.map { $0.className() }.joined(separator: ", ")
        let facts: [(String, Any?)] = [
            ("fileURL", fileURL), ("inMemoryIdentifier", inMemoryIdentifier),
            ("encryptionKey", encryptionKey.map { "\($0.count) bytes" }), ("readOnly", readOnly),
            ("schemaVersion", schemaVersion),
            ("deleteRealmIfMigrationNeeded", deleteRealmIfMigrationNeeded),
            ("shouldCompactOnLaunch", shouldCompactOnLaunch.map { _ in "a block" }),
            ("objectTypes", types.map { "[\($0)]" }),
            ("maximumNumberOfActiveVersions", maximumNumberOfActiveVersions),
            ("seedFilePath", seedFilePath),
        ]
        let lines = facts.map { "\t\($0) = \($1.map { "\($0)" } ?? "nil");\n" }
        return "Realm.Configuration {\n" + lines.joined() + "}"
    }
}
