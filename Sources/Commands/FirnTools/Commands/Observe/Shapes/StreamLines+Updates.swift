import FirnEngine
import FirnQuery
import FirnText
import FirnValues

/// The changes of some commits, and the versions before and after.
struct StreamUpdate {
    let change: ObservedChange
    let old: DatabaseSnapshot
    let new: DatabaseSnapshot
    /// The position of the previous line.
    var previous: StreamToken
    /// The last commit, if it is still kept.
    let commit: CommitMetadata?
    /// The number of newer commits that are waiting, if each is delivered separately.
    let lag: UInt64?
    /// The number of objects now.
    let count: Int
    let isQuery: Bool
}

extension StreamLines {
    /// Writes one line of events or index, or a line for each object of rows.
    func update(_ update: StreamUpdate) throws(QueryFailure) {
        switch shape {
        case .index: indexUpdate(update)
        case .events: try eventUpdate(update)
        case .rows:
            if let dialect {
                try delimitedUpdate(update, dialect)
            } else {
                try rowUpdate(update)
            }
        }
    }

    private func beginUpdate(_ update: StreamUpdate) {
        begin("update", update.new.version)
        add("prev", update.previous.version.rawValue)
        add("token", text(StreamToken(after: update.new)))
        add(update.commit)
        add(
            "commits",
            update.new.version.rawValue - min(update.previous.version, update.new.version).rawValue)
        if let lag = update.lag { add("lag", lag) }
        add("count", update.count)
    }

    // MARK: Positions

    private func indexUpdate(_ update: StreamUpdate) {
        beginUpdate(update)
        let parts = update.change.parts
        add("deletions", parts.flatMap { $0.deletions.compactMap(\.index) })
        add("insertions", parts.flatMap { $0.insertions.compactMap(\.index) })
        add("modifications", parts.flatMap { $0.modifications.compactMap { $0.indices?.from } })
        end()
    }

    // MARK: Events

    private func eventUpdate(_ update: StreamUpdate) throws(QueryFailure) {
        let parts = try rendered(update)
        let shownClass = update.isQuery ? nil : ","
        let deletions: [(RenderedPart, ObservedChange.Deletion)] = parts.flatMap { part in
            part.change.deletions.map { (part, $0) }
        }
        let insertions: [(RenderedPart, ObservedChange.Insertion)] = parts.flatMap { part in
            part.change.insertions.map { (part, $0) }
        }
        let modifications: [(RenderedPart, ObservedChange.Modification)] = parts.flatMap { part in
            part.change.modifications.map { (part, $0) }
        }
        beginUpdate(update)
        addArray("deletions", deletions) { part, item in
            beginEntry(part.change.shape, shownClass, item.index, item.row, part.old)
            addName("before")
            part.old.append(item.row, to: &buffer)
            item.isMoved ? add("moved", true) : add("reason", item.isGone ? "deleted" : "left")
            buffer.append(UInt8(ascii: "}"))
        }
        addArray("insertions", insertions) { part, item in
            beginEntry(part.change.shape, shownClass, item.index, item.row, part.new)
            addName("object")
            part.new.append(item.row, to: &buffer)
            item.isMoved ? add("moved", true) : add("reason", item.isNew ? "added" : "entered")
            buffer.append(UInt8(ascii: "}"))
        }
        addArray("modifications", modifications) { part, item in
            modifiedEntry(item, part, shownClass)
        }
        end()
    }

    private func rendered(_ update: StreamUpdate) throws(QueryFailure) -> [RenderedPart] {
        var parts: [RenderedPart] = []
        for part in update.change.parts { parts.append(try RenderedPart(part, update)) }
        return parts
    }

    /// Begins an entry such as `{"index":0,"id":7`, with the class if several classes are observed.
    private func beginEntry(
        _ shape: ObjectShape, _ shownClass: String?, _ index: Int?, _ row: RowID,
        _ images: ObjectImages
    ) {
        buffer.append("{")
        if let index {
            buffer.append("\"index\":")
            buffer.append(int: Int64(index))
            buffer.append(",")
        }
        appendIdentity(shape, shownClass, row, images)
    }

    private func appendIdentity(
        _ shape: ObjectShape, _ shownClass: String?, _ row: RowID, _ images: ObjectImages
    ) {
        if let shownClass {
            buffer.append("\"class\":")
            buffer.append(jsonString: shape.classSchema.name)
            buffer.append(string: shownClass)
        }
        buffer.append("\"id\":")
        images.appendID(of: row, to: &buffer)
    }

    private func modifiedEntry(
        _ item: ObservedChange.Modification, _ part: RenderedPart, _ shownClass: String?
    ) {
        buffer.append("{")
        if let (from, to) = item.indices {
            buffer.append("\"from\":")
            buffer.append(int: Int64(from))
            buffer.append(",\"to\":")
            buffer.append(int: Int64(to))
            buffer.append(",")
        }
        appendIdentity(part.change.shape, shownClass, item.row, part.new)
        addContents(item, part)
        buffer.append(UInt8(ascii: "}"))
    }

    /// Adds the names of the changed properties, the new object, and its previous values.
    private func addContents(_ item: ObservedChange.Modification, _ part: RenderedPart) {
        let shape = part.change.shape
        let changed = shape.changed(item.properties) {
            part.new.differs(item.row, $0, from: part.old)
        }
        addArray("changed", changed) { buffer.append(jsonString: shape.columns[$0].name) }
        addName("object")
        part.new.append(item.row, to: &buffer)
        addName("before")
        if writesWholeBefore {
            part.old.append(item.row, to: &buffer)
        } else {
            part.old.append(item.row, only: changed, to: &buffer)
        }
    }

    // MARK: Rows

    /// Writes deletions from last to first, then insertions from first to last, then modifications:
    /// in this order, each line can be applied on its own, by key or by position.
    private func rowUpdate(_ update: StreamUpdate) throws(QueryFailure) {
        let parts = try rendered(update)
        var rest = parts.reduce(0) { $0 + $1.change.count }
        func begin(_ verb: StaticString) {
            rest -= 1
            beginRow(verb, update.new.version)
            // A reader that resumes inside a commit receives the whole commit again.
            add(
                "token", text(rest == 0 ? StreamToken(after: update.new) : update.previous))
            add(update.commit)
        }
        for part in parts {
            for item in part.change.deletions.reversed() {
                begin("delete")
                addIdentity(item.row, part.change.shape, part.old)
                if let index = item.index { add("index", index) }
                addName("before")
                part.old.append(item.row, to: &buffer)
                item.isMoved ? add("moved", true) : add("reason", item.isGone ? "deleted" : "left")
                endRow(isCommit: rest == 0, lag: update.lag)
            }
        }
        for part in parts {
            for item in part.change.insertions {
                begin("insert")
                addIdentity(item.row, part.change.shape, part.new)
                if let index = item.index { add("index", index) }
                addName("object")
                part.new.append(item.row, to: &buffer)
                item.isMoved ? add("moved", true) : add("reason", item.isNew ? "added" : "entered")
                endRow(isCommit: rest == 0, lag: update.lag)
            }
        }
        for part in parts {
            for item in part.change.modifications {
                begin("update")
                addIdentity(item.row, part.change.shape, part.new)
                if let (_, to) = item.indices { add("index", to) }
                addContents(item, part)
                endRow(isCommit: rest == 0, lag: update.lag)
            }
        }
    }

    /// Begins the line of an object.
    func beginRow(_ verb: StaticString, _ version: LSN) {
        buffer.append("{\"v\":1,\"op\":\"")
        buffer.append(verb)
        buffer.append("\",\"version\":")
        buffer.append(unsigned: version.rawValue)
    }

    func addIdentity(_ row: RowID, _ shape: ObjectShape, _ images: ObjectImages) {
        // Rows of values belong to no class.
        if shape.values == nil { add("class", shape.classSchema.name) }
        addName("id")
        images.appendID(of: row, to: &buffer)
    }

    func endRow(isCommit: Bool, lag: UInt64? = nil) {
        if isCommit, let lag { add("lag", lag) }
        if isCommit { add("commit", true) }
        end()
    }
}

/// A part of an update with its objects, before and after.
private struct RenderedPart {
    let change: ObservedChange.Part
    let old: ObjectImages
    let new: ObjectImages

    init(_ change: ObservedChange.Part, _ update: StreamUpdate) throws(QueryFailure) {
        self.change = change
        let modified = change.modifications.map(\.row)
        old = try ObjectImages(
            of: change.deletions.map(\.row) + modified, change.shape,
            in: RowContents(update.old, change.values?.old))
        new = try ObjectImages(
            of: change.insertions.map(\.row) + modified, change.shape,
            in: RowContents(update.new, change.values?.new))
    }
}
