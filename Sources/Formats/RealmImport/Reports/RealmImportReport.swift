import FirnValues

/// The parts of a Realm file that have no exact counterpart, for the user.
package struct RealmImportReport: Hashable, Sendable {
    /// A class or property that was renamed.
    package struct Renaming: Hashable, Sendable {
        /// The class or property in the Realm file, such as `Person.name`.
        package let old: String
        package let new: String
    }

    /// A class or property that is not imported, or is imported with changes.
    package struct Difference: Hashable, Sendable {
        package let name: String
        package let reason: String
    }

    package var renamings: [Renaming] = []
    package var differences: [Difference] = []
    /// The links to objects that the file does not have; they become nil.
    package var unresolvedLinks: UInt64 = 0
    /// The number of texts that were not valid UTF-8; their invalid bytes were replaced.
    package var repairedTexts: UInt64 = 0
    /// The number of dates that were too early, and became the earliest date of a database.
    package var changedDates: UInt64 = 0
    /// The texts and data in collections that are too long, and became nil or empty.
    package var longElements: UInt64 = 0
    /// The keys of dictionaries that were changed, because they have a dot or begin with $.
    package var changedKeys: UInt64 = 0
    /// The embedded objects that belong to no object, and are not imported.
    package var unownedObjects: UInt64 = 0

    /// The lines of a report; none if everything has a counterpart.
    package var lines: [String] {
        var lines = renamings.map { "\($0.old) is named \($0.new)" }
        lines += differences.map { "\($0.name) \($0.reason)" }
        func add(_ count: UInt64, _ one: String, _ many: String) {
            if count > 0 { lines.append(count == 1 ? "1 \(one)" : "\(count) \(many)") }
        }
        add(
            unresolvedLinks, "link to an object that is not in the file became nil",
            "links to objects that are not in the file became nil")
        add(
            repairedTexts, "text was not UTF-8; its wrong bytes were replaced",
            "texts were not UTF-8; their wrong bytes were replaced")
        add(
            changedDates, "date was before the first one that a database can hold",
            "dates were before the first one that a database can hold")
        add(
            longElements, "element of 16 MB or more became nil or empty, as Realm reads it",
            "elements of 16 MB or more became nil or empty, as Realm reads them")
        add(
            changedKeys, "key of a map was changed, because it had a dot or began with $",
            "keys of maps were changed, because they had a dot or began with $")
        add(
            unownedObjects, "embedded object without an owner was left out",
            "embedded objects without an owner were left out")
        return lines
    }
}
