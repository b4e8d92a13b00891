import FirnEngine
import FirnFormats
import FirnQuery
import FirnText
import FirnValues

/// The lines with the initial objects of a stream.
extension StreamLines {
    /// Writes the first line without objects; for rows, the line before them.
    ///
    /// - Parameters:
    ///   - count: the number of objects; `nil` if it is not requested.
    ///   - objectsFollow: whether lines with objects follow; `nil` if they are not requested.
    func initial(
        _ subject: any ObservedSubject, _ snapshot: DatabaseSnapshot, count: Int?,
        objectsFollow: Bool?
    ) {
        if let dialect { return delimitedHeader(subject.shapes[0], dialect) }
        begin("initial", snapshot.version)
        if objectsFollow != true { add("token", text(StreamToken(after: snapshot))) }
        addSubject(subject)
        if let count { add("count", count) }
        if shape != .index { addSchema(of: subject, snapshot.schema) }
        if objectsFollow == false, shape == .events { add("objects", [Int]()) }
        if let objectsFollow { add("more", objectsFollow) }
        end()
    }

    /// Writes some of the objects.
    ///
    /// - Parameters:
    ///   - start: the position of the first object.
    ///   - isFirst: whether these are the first objects.
    ///   - isLast: whether these are the last objects.
    func initial(
        _ rows: [RowID], at start: Int, of content: SubjectContent,
        _ subject: any ObservedSubject, _ snapshot: DatabaseSnapshot, count: Int, isFirst: Bool,
        isLast: Bool
    ) throws(QueryFailure) {
        if let dialect {
            return try delimitedObjects(
                rows, at: start, of: content.shape, in: content.contents(in: snapshot), snapshot,
                dialect)
        }
        let images = try ObjectImages(
            of: rows, content.shape, in: content.contents(in: snapshot))
        guard shape == .rows else {
            initialEvent(
                rows, images, content, subject, snapshot, count, isFirst: isFirst, isLast: isLast)
            return
        }
        for (offset, row) in rows.enumerated() {
            beginRow("insert", snapshot.version)
            add("initial", true)
            let isEnd = isLast && offset == rows.count - 1
            if isEnd { add("token", text(StreamToken(after: snapshot))) }
            addIdentity(row, content.shape, images)
            if content.hasIndices { add("index", start + offset) }
            addName("object")
            images.append(row, to: &buffer)
            endRow(isCommit: isEnd)
        }
    }

    private func initialEvent(
        _ rows: [RowID], _ images: ObjectImages, _ content: SubjectContent,
        _ subject: any ObservedSubject, _ snapshot: DatabaseSnapshot, _ count: Int, isFirst: Bool,
        isLast: Bool
    ) {
        begin("initial", snapshot.version)
        if isLast { add("token", text(StreamToken(after: snapshot))) }
        if subject.queryText != nil {
            addSubject(subject)
        } else {
            add("class", content.shape.classSchema.name)
            if let key = content.shape.keyName { add("key", key) }
        }
        add("count", count)
        if isFirst { addSchema(of: subject, snapshot.schema) }
        addArray("objects", rows) { images.append($0, to: &buffer) }
        add("more", !isLast)
        end()
    }

    /// Adds the classes, for readers that create a database from the stream, or the columns of rows
    /// that are not objects.
    func addSchema(of subject: any ObservedSubject, _ schema: Schema) {
        if let values = subject.shapes.first?.values {
            return addArray("columns", values.shown) { column in
                buffer.append("{\"name\":")
                buffer.append(jsonString: column.name)
                buffer.append(",\"type\":")
                buffer.append(
                    jsonString: column.type.name(ofTarget: column.target?.name ?? "Link"))
                buffer.append("}")
            }
        }
        addName("schema")
        buffer.append(
            string: SchemaDocument.json(StreamSchema(subject.shapes, in: schema).definitions))
    }
}
