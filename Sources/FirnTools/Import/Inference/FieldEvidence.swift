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

    // Exclusivity is not checked at run time: nothing calls back while these change, and every value
    // of an import passes here.
    @exclusivity(unchecked) private(set) var kinds: Kinds = []
    @exclusivity(unchecked) private(set) var nulls: UInt64 = 0
    @exclusivity(unchecked) private(set) var values: UInt64 = 0
    /// Whether every whole number is exactly representable as a Double.
    @exclusivity(unchecked) private(set) var isExact = true
    /// The text values; a JSON text is another type only if it has exactly the form of that type, or is a
    /// time.
    @exclusivity(unchecked) private(set) var text: ColumnEvidence
    private let form: FieldForm
    @exclusivity(unchecked) private(set) var isUUID = true
    /// Whether every value is a number, text or truth value that has one meaning in its type.
    @exclusivity(unchecked) private(set) var isPlain = true
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

    /// Adds what was counted since an earlier state.
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

    func see(_ member: FlatObject.Member, line: UInt64) {
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
            text.see(member.text, line: line)
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

/// The common form of the objects of one class or in one field so far.
final class ObjectEvidence {
    /// The names in the order of their first occurrence.
    @exclusivity(unchecked) private(set) var names: [String] = []
    private var indices: TextMap<Int> = [:]
    @exclusivity(unchecked) private(set) var fields: [FieldEvidence] = []
    /// The number of objects with each field.
    @exclusivity(unchecked) private(set) var counts: [UInt64] = []
    @exclusivity(unchecked) private(set) var count: UInt64 = 0

    /// The fields of the last flat object in their order: the indices, or negative numbers for
    /// `$id` and `$class`.
    @exclusivity(unchecked) private var shape: [(name: [UInt8], index: Int)] = []
    /// Per field, the number of the last flat object that had it.
    @exclusivity(unchecked) private var seenIn: [UInt64] = []

    /// Whether no object had a name with a meaning of its own, such as `$id`.
    @exclusivity(unchecked) private(set) var isPlain = true
    private let form: FieldForm

    /// The indices of `$id` and `$class`, which are no fields.
    private static let identity = -1
    private static let className = -2

    init(_ form: FieldForm) { self.form = form }

    /// Returns evidence that changes independently of this.
    func copy() -> ObjectEvidence {
        let copy = ObjectEvidence(form)
        (copy.names, copy.indices, copy.count) = (names, indices, count)
        copy.fields = fields.map { $0.copy() }
        (copy.counts, copy.shape, copy.seenIn) = (counts, shape, seenIn)
        copy.isPlain = isPlain
        return copy
    }

    func differsOnlyInCounts(from other: ObjectEvidence) -> Bool {
        names == other.names && isPlain == other.isPlain
            && zip(fields, other.fields).allSatisfy { $0.differsOnlyInCounts(from: $1) }
    }

    /// Adds what was counted since an earlier state.
    func addCounts(of other: ObjectEvidence, since start: ObjectEvidence) {
        count += other.count - start.count
        for index in fields.indices {
            counts[index] += other.counts[index] - start.counts[index]
            fields[index].addCounts(of: other.fields[index], since: start.fields[index])
        }
    }

    func see(_ members: [JSONTree.Member]) {
        count += 1
        for member in members {
            if !form.isInside, member.name.utf8.first == UInt8(ascii: "$"),
                ReservedName.isReserved(member, namesAnyClass: form.namesAnyClass)
            {
                isPlain = false
                continue
            }
            let index = index(of: member.name)
            fields[index].see(member.value)
            counts[index] += 1
        }
    }

    /// Sees an object that was read without a tree.
    ///
    /// - Returns: whether it was seen; if not, it has names that need more care.
    func see(_ object: FlatObject) -> Bool {
        let number = count + 1
        var reserved: Set<Int> = []
        for (position, member) in object.members.enumerated() {
            guard let index = index(of: member, at: position) else { return false }
            guard index >= 0 else {
                guard reserved.insert(index).inserted else { return false }
                isPlain = false
                continue
            }
            guard seenIn[index] != number else { return false }
            seenIn[index] = number
        }
        count = number
        for (position, member) in object.members.enumerated() where shape[position].index >= 0 {
            fields[shape[position].index].see(member, line: object.position.line)
            counts[shape[position].index] += 1
        }
        return true
    }

    private func index(of name: String) -> Int {
        if let known = indices[name] { return known }
        let index = names.count
        indices[name] = index
        names.append(name)
        fields.append(FieldEvidence(FieldForm(isExact: form.isExact)))
        counts.append(0)
        seenIn.append(0)
        return index
    }

    /// Returns the index of a field, or `nil` for a name that needs the value to tell its meaning.
    private func index(of member: FlatObject.Member, at position: Int) -> Int? {
        let name = member.name
        if position < shape.count,
            shape[position].name.withUnsafeBufferPointer({ FlatObject.equals(name, $0) })
        {
            let index = shape[position].index
            return index < 0 && !isReserved(member, index) ? nil : index
        }
        let text = String(decoding: name, as: UTF8.self)
        let index: Int
        switch text {
        case ReservedName.id: index = Self.identity
        case ReservedName.className: index = Self.className
        default: index = self.index(of: text)
        }
        guard index >= 0 || isReserved(member, index) else { return nil }
        let found = (Array(name), index)
        if position < shape.count { shape[position] = found } else { shape.append(found) }
        return index
    }

    /// Returns whether a member called `$id` or `$class` is not data.
    private func isReserved(_ member: FlatObject.Member, _ index: Int) -> Bool {
        switch (index, member.kind) {
        case (Self.identity, .number): NumberText.int(member.text).map { $0 >= 0 } ?? false
        case (Self.className, .string): form.namesAnyClass || ReservedName.isClassName(member.text)
        default: false
        }
    }
}
