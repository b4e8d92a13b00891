import FirnValues
public import Foundation
import RealmFile
import RealmImport

/// The result of an import, with everything that differs from the Realm file.
public struct RealmFileImport: Hashable, Sendable {
    /// A class or property that was renamed.
    public struct Renaming: Hashable, Sendable {
        /// The name in the Realm file, such as `Person.name`.
        public let oldName: String
        /// The name in the database.
        public let newName: String
    }

    /// A class or property without an exact counterpart.
    public struct Difference: Hashable, Sendable {
        /// The name in the Realm file, such as `Person.name`.
        public let name: String
        /// A description of the difference.
        public let reason: String
    }

    /// The progress of an import.
    public struct Progress: Hashable, Sendable {
        /// The class whose objects are imported.
        public let className: String
        /// The number of imported objects of all classes so far.
        public let completedObjectCount: Int
        /// The number of objects of all classes.
        public let totalObjectCount: Int

        /// Creates a value, as for tests of a progress display.
        public init(className: String, completedObjectCount: Int, totalObjectCount: Int) {
            self.className = className
            self.completedObjectCount = completedObjectCount
            self.totalObjectCount = totalObjectCount
        }
    }

    /// The location of the new database.
    public let fileURL: URL
    /// The schema version of the Realm file, or `nil` if it has none.
    public let schemaVersion: UInt64?
    /// The number of imported objects, including embedded ones.
    public let objectCount: Int
    /// The classes and properties that were renamed.
    public let renamings: [Renaming]
    /// The classes and properties without an exact counterpart.
    public let differences: [Difference]
    /// The number of links to objects that are not in the file; they became nil or were left out of
    /// their list or set.
    ///
    /// Files of synchronized Realms can have such links.
    public let unresolvedLinkCount: Int
    /// The number of texts that were not valid UTF-8; their invalid bytes were replaced.
    public let replacedTextCount: Int
    /// The number of dates before the earliest date that a database can hold, which replaces them.
    public let changedDateCount: Int
    /// The number of texts and data in collections and values of any type that are too long, at
    /// least 16 MB, and became nil or empty.
    ///
    /// Realm reads them as nil.
    public let longElementCount: Int
    /// The number of changed keys of dictionaries, because keys of a `Map` must not contain a dot
    /// or begin with `$`.
    public let changedKeyCount: Int
    /// The number of embedded objects without an owner, which were left out.
    public let unownedObjectCount: Int
    /// All differences from the Realm file, one sentence each.
    public let messages: [String]

    init(_ fileURL: URL, _ reader: RealmReader, _ report: RealmImportReport, objectCount: UInt64) {
        self.fileURL = fileURL
        schemaVersion = reader.schemaVersion.flatMap { UInt64(exactly: $0) }
        self.objectCount = Int(clamping: objectCount - min(objectCount, report.unownedObjects))
        renamings = report.renamings.map { Renaming(oldName: $0.old, newName: $0.new) }
        differences = report.differences.map { Difference(name: $0.name, reason: $0.reason) }
        unresolvedLinkCount = Int(clamping: report.unresolvedLinks)
        replacedTextCount = Int(clamping: report.repairedTexts)
        changedDateCount = Int(clamping: report.changedDates)
        longElementCount = Int(clamping: report.longElements)
        changedKeyCount = Int(clamping: report.changedKeys)
        unownedObjectCount = Int(clamping: report.unownedObjects)
        messages = report.lines
    }
}

extension RealmFileImport: CustomStringConvertible {
    /// The number of objects, and all differences from the Realm file.
    public var description: String {
        (["imported \(objectCount) objects to \(fileURL.path)"] + messages)
            .joined(separator: "\n")
    }
}
