import FirnEngine
import FirnFormats
import FirnValues

/// The changes that turn one schema into another, in the words of `firn alter`.
struct SchemaDifference: Hashable {
    /// The number of changes that a line of text shows.
    private static let shownMax = 6

    private(set) var changes: [String] = []

    /// - Parameter isSameFile: whether both are versions of one database, so that a class or property
    ///   with another name can be the same one.
    init(from old: Schema, to new: Schema, isSameFile: Bool) {
        var known: Set<ClassID> = []
        for item in new.listedClasses {
            let before = isSameFile ? old[item.id] : old.classNamed(item.name)
            guard let before else {
                changes.append("add \(Self.word(item.name))")
                continue
            }
            known.insert(before.id)
            if before.name != item.name {
                changes.append("rename \(Self.word(before.name)) \(Self.word(item.name))")
            }
            compare(before, in: old, item, in: new, isSameFile: isSameFile)
        }
        for item in old.listedClasses where !known.contains(item.id) {
            changes.append("remove \(Self.word(item.name))")
        }
    }

    private mutating func compare(
        _ before: ClassSchema, in old: Schema, _ after: ClassSchema, in new: Schema,
        isSameFile: Bool
    ) {
        func name(_ property: String) -> String {
            "\(Self.word(after.name)).\(Self.word(property))"
        }
        var known: Set<PropertyID> = []
        let kept = isSameFile ? Set(after.properties.map(\.id)) : []
        var byID: [PropertyID: PropertySchema] = [:]
        var byName: TextMap<PropertySchema> = [:]
        for property in before.properties {
            if isSameFile { byID[property.id] = property }
            // Another type makes another property of the same name.
            if !kept.contains(property.id) { byName[property.name] = property }
        }
        for property in after.properties {
            let earlier = byID[property.id] ?? byName[property.name]
            let type = new.typeName(property.type)
            guard let earlier else {
                changes.append("add \(name(property.name)) \(type)")
                continue
            }
            known.insert(earlier.id)
            if earlier.name != property.name {
                changes.append("rename \(name(earlier.name)) \(Self.word(property.name))")
            }
            if old.typeName(earlier.type) != type {
                changes.append("retype \(name(property.name)) \(type)")
            }
        }
        for property in before.properties where !known.contains(property.id) {
            changes.append("remove \(name(property.name))")
        }
        let isSameKey =
            isSameFile
            ? before.key == after.key : before.keyProperty?.name == after.keyProperty?.name
        if !isSameKey {
            let key = after.keyProperty.map { Self.word($0.name) }
            changes.append("key \(Self.word(after.name)) \(key ?? "none")")
        }
        for inverse in after.inverses where !before.inverses.contains(inverse) {
            guard let source = new[inverse.sourceClass], let link = source[inverse.sourceProperty]
            else { continue }
            changes.append(
                "inverse \(name(inverse.name)) = \(Self.word(source.name)).\(Self.word(link.name))")
        }
    }

    /// Whether the objects of the old schema have all classes and properties of the new one.
    var onlyRemoves: Bool { changes.allSatisfy { $0.hasPrefix("remove ") } }

    /// The changes in one line; empty if there are none.
    var text: String {
        let shown = changes.prefix(Self.shownMax).joined(separator: "; ")
        let rest = changes.count - Self.shownMax
        return rest > 0 ? "\(shown); and \(Formatting.count(UInt64(rest))) more" : shown
    }

    /// Returns a name as `alter` reads it.
    private static func word(_ name: String) -> String {
        let isPlain = name.utf8.allSatisfy { byte in
            byte >= 0x80 || byte == UInt8(ascii: "_") || byte &- UInt8(ascii: "0") < 10
                || (byte | 0x20) &- UInt8(ascii: "a") < 26
        }
        if isPlain, !["none", "to"].contains(name) { return SafeText.escaping(name) }
        return "`\(SafeText.escaping(name))`"
    }
}
