import FirnValues

/// The common form of the JSON values of one field so far.
final class FieldEvidence {
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

    private(set) var kinds: Kinds = []
    private(set) var nulls: UInt64 = 0
    private(set) var values: UInt64 = 0
    /// Whether every whole number is exactly representable as a Double.
    private(set) var isExact = true
    /// The text values; a JSON text is another type only if it has exactly the form of that type.
    private(set) var text = ColumnEvidence(isExact: true)
    private(set) var isUUID = true
    /// The classes named by references.
    private(set) var references: Set<String> = []
    /// The elements of arrays.
    private(set) var elements: FieldEvidence?
    private(set) var members: ObjectEvidence?

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
            let evidence = self.elements ?? FieldEvidence()
            self.elements = evidence
            for element in elements { evidence.see(element) }
        case .object(let fields): see(object: fields, tree)
        }
    }

    private func isNull(_ tree: JSONTree) -> Bool {
        if case .null = tree.content { true } else { false }
    }

    private func see(number: String) {
        if let value = Int64(number) {
            kinds.insert(.int)
            if Int64(exactly: Double(value)) != value { isExact = false }
        } else if number.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == 0x65 }) {
            kinds.insert(.double)
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
        if case .string(let name)? = tree["$ref"]?.content {
            kinds.insert(.tagged)
            references.insert(name)
        } else if fields.contains(where: { $0.name.utf8.first == UInt8(ascii: "$") }) {
            kinds.insert(.tagged)
            references.insert("")
        } else {
            kinds.insert(.object)
            let evidence = members ?? ObjectEvidence()
            members = evidence
            evidence.see(fields)
        }
    }
}

/// The common form of the objects of one class or in one field so far.
final class ObjectEvidence {
    /// The names in the order of their first occurrence.
    private(set) var names: [String] = []
    private var indices: [String: Int] = [:]
    private(set) var fields: [FieldEvidence] = []
    /// The number of objects with each field.
    private(set) var counts: [UInt64] = []
    private(set) var count: UInt64 = 0

    func see(_ members: [JSONTree.Member]) {
        count += 1
        for member in members where member.name.utf8.first != UInt8(ascii: "$") {
            let index: Int
            if let known = indices[member.name] {
                index = known
            } else {
                index = names.count
                indices[member.name] = index
                names.append(member.name)
                fields.append(FieldEvidence())
                counts.append(0)
            }
            fields[index].see(member.value)
            counts[index] += 1
        }
    }
}
