import FirnEngine
import FirnText
import FirnValues

/// The common form of the objects of one class or in one field so far.
package final class ObjectEvidence {
    /// The names in the order of their first occurrence.
    @exclusivity(unchecked) package private(set) var names: [String] = []
    private var indices: TextMap<Int> = [:]
    @exclusivity(unchecked) package private(set) var fields: [FieldEvidence] = []
    /// The number of objects with each field.
    @exclusivity(unchecked) package private(set) var counts: [UInt64] = []
    @exclusivity(unchecked) package private(set) var count: UInt64 = 0

    /// The fields of the last flat object in their order: the indices, or negative numbers for
    /// `$id` and `$class`.
    @exclusivity(unchecked) private var shape: [(name: [UInt8], index: Int)] = []
    /// Per field, the number of the last flat object that had it.
    @exclusivity(unchecked) private var seenIn: [UInt64] = []

    /// Whether no object had a name with a meaning of its own, such as `$id`.
    @exclusivity(unchecked) package private(set) var isPlain = true
    /// The values of all names, once these turned out to be keys of maps; there are no fields then.
    private(set) var entries: FieldEvidence?
    private let form: FieldForm

    /// Sentinels for `$id` and `$class`, which are not fields.
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
        copy.entries = entries?.copy()
        return copy
    }

    func differsOnlyInCounts(from other: ObjectEvidence) -> Bool {
        guard names == other.names, isPlain == other.isPlain,
            zip(fields, other.fields).allSatisfy({ $0.differsOnlyInCounts(from: $1) })
        else { return false }
        switch (entries, other.entries) {
        case (nil, nil): return true
        case (let own?, let others?): return own.differsOnlyInCounts(from: others)
        default: return false
        }
    }

    /// Adds the counts since an earlier state.
    func addCounts(of other: ObjectEvidence, since start: ObjectEvidence) {
        count += other.count - start.count
        for index in fields.indices {
            counts[index] += other.counts[index] - start.counts[index]
            fields[index].addCounts(of: other.fields[index], since: start.fields[index])
        }
        if let entries, let others = other.entries, let before = start.entries {
            entries.addCounts(of: others, since: before)
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
            if let entries {
                entries.see(member.value)
                continue
            }
            let index = index(of: member.name)
            fields[index].see(member.value)
            counts[index] += 1
        }
        foldIfKeys()
    }

    /// Examines an object that was read without a tree.
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
            fields[shape[position].index].see(member)
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

    /// Returns the index of a field, or `nil` for a name whose meaning depends on the value.
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

    /// Whether there are more names than a class can have properties.
    var isTooWide: Bool { names.count > ClassSchema.propertyCountMaximum }

    // MARK: Names that are keys

    /// The number of names at which objects that share hardly any names are maps.
    private static let sparseNameCountMin = 50
    /// The number of names at which objects with values of one kind are maps.
    private static let uniformNameCountMin = 200
    /// The number of names that are kept before a decision.
    private static let keptNameCountMax = 1_000

    /// The values of the maps, if the names are keys and not names of properties: the objects have
    /// less than a tenth of the names each, or there are more names than objects and all values are of
    /// one kind.
    ///
    /// A class with a property for each key would take a column for each.
    var values: FieldEvidence? {
        if let entries { return entries }
        guard form.isInside, isSparse || isUniform else { return nil }
        return union
    }

    private var isSparse: Bool {
        let occurrences = counts.reduce(0, &+)
        return names.count >= Self.sparseNameCountMin
            && occurrences < UInt64(names.count) * count / 10
    }

    private var isUniform: Bool {
        let kinds = fields.map(\.kinds).filter { !$0.isEmpty }
        return names.count >= Self.uniformNameCountMin && UInt64(names.count) > count
            && kinds.allSatisfy { $0 == kinds.first }
    }

    private var union: FieldEvidence {
        let union = FieldEvidence(FieldForm(isExact: form.isExact))
        for field in fields { union.formUnion(field) }
        return union
    }

    /// Keeps only the values once there are too many names for properties, so that they must be keys.
    private func foldIfKeys() {
        guard form.isInside, names.count > Self.keptNameCountMax,
            isSparse || isTooWide
        else { return }
        fold()
    }

    private func fold() {
        entries = union
        (names, indices, fields, counts, shape, seenIn) = ([], [:], [], [], [], [])
    }

    /// Adds the objects of another field to this one.
    func formUnion(_ other: ObjectEvidence) {
        count += other.count
        isPlain = isPlain && other.isPlain
        if other.entries != nil, entries == nil { fold() }
        if let entries {
            if let others = other.entries { entries.formUnion(others) }
            for field in other.fields { entries.formUnion(field) }
            return
        }
        for (name, field) in zip(other.names, other.fields.indices) {
            let index = index(of: name)
            fields[index].formUnion(other.fields[field])
            counts[index] += other.counts[field]
        }
        foldIfKeys()
    }
}
