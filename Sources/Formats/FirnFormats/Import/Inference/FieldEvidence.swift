import FirnText
import FirnValues

/// The rules for the names and texts of the fields of objects.
struct FieldForm: Sendable {
    /// Whether `$id` and `$class` are values, as in all objects inside others.
    var isInside = false
    /// Whether every text of `$class` names the class.
    var namesAnyClass = false
    /// Whether a text is a time only if it prints again as exactly the same text.
    var isExact = false
}

/// The common form of the JSON values of one field so far.
package final class FieldEvidence {
    /// The kinds of JSON values found.
    struct Kinds: OptionSet {
        let rawValue: UInt8
        static let bool = Kinds(rawValue: 1)
        static let int = Kinds(rawValue: 2)
        static let double = Kinds(rawValue: 4)
        /// Whole numbers beyond 64 bits.
        static let large = Kinds(rawValue: 8)
        static let string = Kinds(rawValue: 16)
        static let array = Kinds(rawValue: 32)
        static let object = Kinds(rawValue: 64)
        /// Objects that represent other values, such as `{"$data":...}`.
        static let tagged = Kinds(rawValue: 128)
    }

    // Exclusivity is not checked at run time: nothing calls back while these change, and every value
    // of an import passes here.
    @exclusivity(unchecked) private(set) var kinds: Kinds = []
    @exclusivity(unchecked) package private(set) var nulls: UInt64 = 0
    @exclusivity(unchecked) private(set) var values: UInt64 = 0
    /// Whether every whole number is exactly representable as a Double.
    @exclusivity(unchecked) private(set) var isExact = true
    /// The text values; a JSON text is another type only if it has exactly the form of that type, or is a
    /// time.
    @exclusivity(unchecked) private(set) var text: ColumnEvidence
    private let form: FieldForm
    @exclusivity(unchecked) private(set) var isUUID = true
    /// Whether every value is a number, text or truth value that has one meaning in its type.
    @exclusivity(unchecked) package private(set) var isPlain = true
    /// The classes named by references.
    private(set) var references: TextSet = []
    /// The elements of arrays.
    private(set) var elements: FieldEvidence?
    private(set) var members: ObjectEvidence?

    init(_ form: FieldForm) {
        self.form = form
        text = ColumnEvidence(isExact: true, readsTimes: !form.isExact)
    }

    /// Returns evidence that changes independently of this.
    func copy() -> FieldEvidence {
        let copy = FieldEvidence(form)
        (copy.kinds, copy.nulls, copy.values) = (kinds, nulls, values)
        (copy.isExact, copy.text, copy.isUUID, copy.isPlain) = (isExact, text, isUUID, isPlain)
        copy.references = references
        copy.elements = elements?.copy()
        copy.members = members?.copy()
        return copy
    }

    func differsOnlyInCounts(from other: FieldEvidence) -> Bool {
        guard kinds == other.kinds, isExact == other.isExact, isUUID == other.isUUID,
            isPlain == other.isPlain, references == other.references,
            text.differsOnlyInCounts(from: other.text)
        else { return false }
        switch (elements, other.elements) {
        case (nil, nil): break
        case (let own?, let others?) where own.differsOnlyInCounts(from: others): break
        default: return false
        }
        switch (members, other.members) {
        case (nil, nil): return true
        case (let own?, let others?): return own.differsOnlyInCounts(from: others)
        default: return false
        }
    }

    /// Adds the counts since an earlier state.
    func addCounts(of other: FieldEvidence, since start: FieldEvidence) {
        nulls += other.nulls - start.nulls
        values += other.values - start.values
        text.addCounts(of: other.text, since: start.text)
        if let elements, let others = other.elements, let before = start.elements {
            elements.addCounts(of: others, since: before)
        }
        if let members, let others = other.members, let before = start.members {
            members.addCounts(of: others, since: before)
        }
    }

    /// Adds the values of another field to this one.
    func formUnion(_ other: FieldEvidence) {
        kinds.formUnion(other.kinds)
        nulls += other.nulls
        values += other.values
        isExact = isExact && other.isExact
        text.formUnion(other.text)
        isUUID = isUUID && other.isUUID
        isPlain = isPlain && other.isPlain
        references.formUnion(other.references)
        if let others = other.elements {
            if let elements { elements.formUnion(others) } else { elements = others.copy() }
        }
        if let others = other.members {
            if let members { members.formUnion(others) } else { members = others.copy() }
        }
    }

    func see(_ tree: JSONTree) {
        guard !isNull(tree) else {
            nulls += 1
            return
        }
        values += 1
        switch tree.content {
        case .null: break
        case .bool: kinds.insert(.bool)
        case .number(let text): see(number: text)
        case .string(let text): see(text: text, line: tree.position.line)
        case .array(let elements):
            kinds.insert(.array)
            let evidence = self.elements ?? FieldEvidence(form)
            self.elements = evidence
            for element in elements { evidence.see(element) }
        case .object(let fields): see(object: fields, tree)
        }
    }

    func see(_ member: FlatObject.Member) {
        guard member.kind != .null else {
            nulls += 1
            return
        }
        values += 1
        switch member.kind {
        case .null: break
        case .bool: kinds.insert(.bool)
        case .number:
            if let value = NumberText.int(member.text) {
                see(int: value)
            } else {
                see(number: String(decoding: member.text, as: UTF8.self))
            }
        case .string:
            kinds.insert(.string)
            if isUUID {
                let text = String(decoding: member.text, as: UTF8.self)
                isUUID = UUID(text)?.description == text
            }
            text.see(member.text, line: member.line)
        }
    }

    private func see(int value: Int64) {
        kinds.insert(.int)
        if Int64(exactly: Double(value)) != value { isExact = false }
    }

    private func isNull(_ tree: JSONTree) -> Bool {
        if case .null = tree.content { true } else { false }
    }

    private func see(number: String) {
        if let value = Int64(number) {
            see(int: value)
            // Negative zero is a number of its own in a Double column.
            if number.utf8.first == UInt8(ascii: "-"), value == 0 { isPlain = false }
        } else if number.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == 0x65 }) {
            kinds.insert(.double)
            if Double(number).map({ !$0.isFinite }) ?? true { isPlain = false }
        } else {
            kinds.insert(.large)
        }
    }

    private func see(text: String, line: UInt64) {
        kinds.insert(.string)
        var text = text
        if isUUID { isUUID = UUID(text)?.description == text }
        text.withUTF8 { self.text.see($0, line: line) }
    }

    private func see(object fields: [JSONTree.Member], _ tree: JSONTree) {
        if AnyTag.isTagged(fields) {
            kinds.insert(.tagged)
            if case .string(let name)? = tree[AnyTag.reference]?.content {
                references.insert(name)
            } else {
                references.insert("")
            }
        } else {
            kinds.insert(.object)
            let evidence =
                members ?? ObjectEvidence(FieldForm(isInside: true, isExact: form.isExact))
            members = evidence
            evidence.see(fields)
        }
    }
}
