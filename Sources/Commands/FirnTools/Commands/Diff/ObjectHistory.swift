import FirnEngine
import FirnFormats
import FirnQuery
import FirnSyntax
import FirnValues

/// Finds the changes to one object from version to version.
///
/// An object that was deleted and inserted again with the same key is the same object.
struct ObjectHistory {
    /// The change to the object in one version.
    struct Change {
        /// A property and its values as JSON.
        struct Property {
            let name: String
            let before: String
            let after: String
        }

        let counts: DiffCounts
        /// The changed properties; empty if the object was inserted or deleted.
        let properties: [Property]

        /// Returns a text such as `age: 41 → 42`.
        func text(arrow: String) -> String {
            properties.map { "\($0.name): \($0.before) \(arrow) \($0.after)" }
                .joined(separator: ", ")
        }

        /// Returns one of the values of each property.
        func record(_ value: KeyPath<Property, String>) -> JSONObject {
            var record = JSONObject()
            for property in properties { record.add(property.name, json: property[keyPath: value]) }
            return record
        }
    }

    let className: String
    /// The key as the user typed it; the number of the object in a class without a key.
    let key: String
    let path: String

    /// Returns the change to the object; `nil` if it is the same in both versions, or in neither.
    func change(
        from old: DatabaseSnapshot, to new: DatabaseSnapshot
    ) throws(CommandFailure) -> Change? {
        let (before, after) = (try row(in: old), try row(in: new))
        var counts = DiffCounts(className: className)
        guard let before, let after else {
            guard before != nil || after != nil else { return nil }
            if after != nil { counts.inserted = 1 } else { counts.deleted = 1 }
            return Change(counts: counts, properties: [])
        }
        let properties = try difference(before, in: old, after, in: new)
        guard !properties.isEmpty else { return nil }
        counts.updated = 1
        return Change(counts: counts, properties: properties)
    }

    private func difference(
        _ before: RowID, in old: DatabaseSnapshot, _ after: RowID, in new: DatabaseSnapshot
    ) throws(CommandFailure) -> [Change.Property] {
        guard let oldSchema = old.schema.classNamed(className),
            let schema = new.schema.classNamed(className)
        else { return [] }
        let oldShape = ObjectShape(oldSchema, in: old.schema)
        let shape = ObjectShape(schema, in: new.schema)
        do {
            let difference = ImageDifference(
                old: try ObjectImages(of: [before], oldShape, in: old), oldShape,
                new: try ObjectImages(of: [after], shape, in: new), shape)
            return difference.changed(ObjectPairing.Pair(old: before, new: after)).map { column in
                Change.Property(
                    name: shape.columns[column].name, before: difference.before(before, column),
                    after: difference.after(after, column))
            }
        } catch { throw CommandFailure(error, text: className, file: path) }
    }

    /// Returns the row of the object; `nil` if a version does not have it.
    func row(in snapshot: DatabaseSnapshot) throws(CommandFailure) -> RowID? {
        guard let schema = snapshot.schema.classNamed(className) else { return nil }
        let property = schema.keyProperty
        let isNumber = property.map { $0.type.base == .int } ?? true
        guard !isNumber || Int64(key) != nil else {
            throw .diagnostic(
                .usage(
                    "--object \(SafeText.escaping(key)) is not a number",
                    remedy: "give the \(property?.name ?? "@id") of one \(className)"))
        }
        let text =
            "\(Canonical.name(className)) \(property.map { Canonical.name($0.name) } ?? "@id") == "
            + (isNumber ? key : Canonical.literal(.string(key)))
        do { return try snapshot.rowIDs(try snapshot.bound(text)).first } catch {
            throw CommandFailure(error, text: text, file: path)
        }
    }
}
