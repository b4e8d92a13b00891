package import FirnText
package import FirnValues

/// Infers the classes of JSON objects.
///
/// It is `Sendable` because a thread changes only a copy of its own.
package struct ObjectInference: @unchecked Sendable {
    /// The classes in the order of their first occurrence.
    package private(set) var classNames: [String] = []
    package private(set) var classes: TextMap<ObjectEvidence> = [:]
    /// A class whose objects have more names than a class has properties; reading ends there.
    package private(set) var tooWide: String?
    private var form = FieldForm()
    /// The last class that a record named.
    private var recent: (name: String, evidence: ObjectEvidence)?

    /// - Parameter isExact: whether times must print again as exactly the same text.
    package init(isExact: Bool) { form.isExact = isExact }

    /// Declares that the records follow a schema, so that every text of `$class` names their class.
    package mutating func noteSchema() { form.namesAnyClass = true }

    /// Examines the next record if it is flat.
    ///
    /// - Parameter className: the class of records that name no class.
    /// - Returns: whether it was seen; if not, the reader returns it as a tree.
    package mutating func seeNext(
        of records: JSONRecords, _ className: String?
    ) throws(InputError) -> Bool {
        guard try records.nextFlat() else { return false }
        let object = records.flat
        if let (name, evidence) = evidence(of: object, className), evidence.see(object) {
            if evidence.isTooWide { tooWide = name }
            return true
        }
        records.returnFlat()
        return false
    }

    /// Examines a record.
    ///
    /// - Returns: `false` if the record does not name its class.
    package mutating func see(_ record: ImportRecord, _ className: String?) -> Bool {
        guard let name = name(of: record) ?? className else { return false }
        if classes[name] == nil { classNames.append(name) }
        let known = classes[name] ?? ObjectEvidence(form)
        classes[name] = known
        known.see(record.fields)
        if known.isTooWide { tooWide = name }
        return true
    }

    private func name(of record: ImportRecord) -> String? {
        // In a document with a schema, the arrays name the classes, and `$class` is a property.
        if form.namesAnyClass, let name = record.className { return name }
        if case .string(let name)? = record[ReservedName.className]?.content,
            form.namesAnyClass || ReservedName.isClassName(name.utf8)
        {
            return name
        }
        return record.className
    }

    /// Returns the evidence for the class of a record whose class is known without a tree.
    private mutating func evidence(
        of object: FlatObject, _ className: String?
    ) -> (name: String, evidence: ObjectEvidence)? {
        let named = object.members.firstIndex {
            $0.name.first == UInt8(ascii: "$")
                && $0.name.elementsEqual(ReservedName.className.utf8)
        }
        guard let named else {
            return className.flatMap { name in classes[name].map { (name, $0) } }
        }
        let text = object.members[named].text
        guard named == 0, object.members[named].kind == .string,
            form.namesAnyClass || ReservedName.isClassName(text)
        else { return nil }
        if let recent, text.elementsEqual(recent.name.utf8) {
            return (recent.name, recent.evidence)
        }
        let name = String(decoding: text, as: UTF8.self)
        guard let evidence = classes[name] else { return nil }
        recent = (name, evidence)
        return (name, evidence)
    }
}

extension ObjectInference: BlockEvidence {
    /// The data that is needed to read a block of objects.
    package struct Form: Sendable {
        let name: String
        /// The class of records that do not name one.
        let className: String?

        package init(name: String, className: String?) {
            self.name = name
            self.className = className
        }
    }

    package func copy() -> ObjectInference {
        var copy = ObjectInference(isExact: form.isExact)
        copy.form = form
        copy.classNames = classNames
        copy.classes = classes.mapValues { $0.copy() }
        return copy
    }

    package mutating func see(
        _ block: TextBlocks.Block, at start: TextPosition, _ form: Form
    ) -> RowPositions.Block? {
        let source = MemorySource(block.bytes, name: form.name)
        var limits = JSONLimits()
        limits.chunkBytes = block.bytes.count
        let records = JSONRecords(source, continuingAt: start, limits: limits)
        return see(all: records, form.className, at: start)
    }

    /// Examines all records of a block.
    ///
    /// - Returns: `nil` if there is a mistake, or something else than records.
    package mutating func see(
        all records: JSONRecords, _ className: String?, at start: TextPosition
    ) -> RowPositions.Block? {
        var rows = RowPositions.Block()
        do throws(InputError) {
            while true {
                if tooWide != nil { return nil }
                if try seeNext(of: records, className) {
                    let position = records.flat.position
                    rows.append(position.offset, position.line, from: start)
                    continue
                }
                guard let item = try records.next() else { break }
                guard case .record(let record) = item, see(record, className) else { return nil }
                rows.append(record.position.offset, record.position.line, from: start)
            }
        } catch { return nil }
        guard records.isStream else { return nil }
        rows.end(at: records.endLine, from: start)
        return rows
    }

    package func differsOnlyInCounts(from other: ObjectInference) -> Bool {
        classNames == other.classNames
            && classes.allSatisfy { name, evidence in
                other.classes[name].map { evidence.differsOnlyInCounts(from: $0) } ?? false
            }
    }

    package mutating func addCounts(of other: ObjectInference, since start: ObjectInference) {
        for (name, evidence) in classes {
            guard let seen = other.classes[name], let before = start.classes[name] else { continue }
            evidence.addCounts(of: seen, since: before)
        }
    }
}
