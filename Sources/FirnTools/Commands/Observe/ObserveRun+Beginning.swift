import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// Where a stream begins, and where it begins anew.
extension ObserveRun {
    /// How many objects a line has at most.
    private static let pageCount = 1000

    /// Delivers the first lines.
    ///
    /// - Returns: the reason if that is the end already.
    func begin() throws(CommandFailure) -> StreamEnd? {
        guard let start = try startVersion() else {
            try makeSubject(try newestSnapshot())
            return try sendInitial()
        }
        guard try resume(behind: start) else {
            return try restart(.historyGone, requested: start)
        }
        try deliver(nil)
        return try until()
    }

    /// Goes to a version, and puts the line about that into the buffer.
    ///
    /// - Returns: whether the version is there.
    private func resume(behind version: LSN) throws(CommandFailure) -> Bool {
        let found = try reading { () throws(StoreError) in
            try HeldVersion.open(version, in: database)
        }
        guard let found else { return false }
        try makeSubject(found)
        table?.begin()
        lines.resume(subject, found.version, count: subject.count(in: found))
        return true
    }

    /// The version that an earlier run ended with, or that the user names; `nil` to begin anew.
    private func startVersion() throws(CommandFailure) -> LSN? {
        if let token = try cursor?.token() { return try version(of: token) }
        switch order.since {
        case nil: return nil
        case .now: return held.version
        case .version(let version): return version
        case .token(let token): return try version(of: token)
        case .file(let path):
            let token = try CursorFile(path, environment.services).token()
            return try token.map { token throws(CommandFailure) in try version(of: token) }
        }
    }

    private func version(of token: String) throws(CommandFailure) -> LSN {
        if let version = StreamToken.version(token, in: lines.database) { return version }
        var diagnostic = Diagnostic(
            .historyToken,
            "\"\(SafeText.excerpt(of: token.utf8, characters: 40))\" is not a token of "
                + SafeText.escaping(order.file))
        diagnostic.file = order.file
        diagnostic.remedy = "a token is valid only for the database that printed it"
        throw .diagnostic(diagnostic)
    }

    /// Goes to a version, and finds out what is there of what is observed.
    private func makeSubject(_ snapshot: DatabaseSnapshot) throws(CommandFailure) {
        begin(at: snapshot)
        if !order.hasQuery, let condition, !condition.aggregates.isEmpty {
            throw .diagnostic(
                .usage("without a query, --until can test only count"))
        }
        try makeSubject(anewAt: snapshot)
    }

    /// Finds out anew what is there of what is observed, at the version that is held.
    func makeSubject(anewAt snapshot: DatabaseSnapshot) throws(CommandFailure) {
        if order.hasQuery {
            subject = try asking { () throws(QueryFailure) in
                try QuerySubject(try bound(text, snapshot), on: snapshot)
            }
        } else {
            subject = DatabaseSubject(snapshot)
        }
        ahead = .none
    }

    /// Binds a text to the schema of a version.
    func bound(
        _ text: String, _ snapshot: DatabaseSnapshot
    ) throws(QueryFailure) -> BoundQuery {
        let context = BindingContext(
            schema: snapshot.schema, defaultClass: order.className, arguments: order.arguments,
            now: snapshot.now)
        do { return try BoundQuery(text, entry: .pipeline, in: context) } catch {
            throw .query(error)
        }
    }

    // MARK: The objects

    /// Delivers what is there, beginning anew if that takes so long that its version is gone.
    private func sendInitial() throws(CommandFailure) -> StreamEnd? {
        if let table {
            table.begin()
            try deliver("initial")
            return try until()
        }
        while try !sendObjects() { try sendReset(.historyGone, requested: held.version) }
        return try until()
    }

    /// - Returns: whether the version was there all the time.
    private func sendObjects() throws(CommandFailure) -> Bool {
        guard let (count, contents) = try beginObjects() else { return false }
        if contents.isEmpty {
            try deliver(order.initial == .none ? nil : "initial")
            return true
        }
        var sent = 0
        for content in contents {
            var start = 0
            while start < content.count {
                let range = start..<min(content.count, start + ObserveRun.pageCount)
                // While it delivers, no version may be held in the stack.
                guard try addPage(range, of: content, &sent, of: count) else { return false }
                try deliver("initial", isPosition: sent == count)
                try environment.checkSignals()
                start = range.upperBound
            }
        }
        return true
    }

    /// Puts what stands in front of the objects into the buffer, or all if they are not wanted.
    ///
    /// - Returns: how many objects there are, and those that are to be delivered; `nil` if the
    ///   version is gone.
    private func beginObjects() throws(CommandFailure) -> (Int, [SubjectContent])? {
        let current = try reading { () throws(StoreError) in try held.current() }
        guard let snapshot = current else { return nil }
        let count = subject.count(in: snapshot)
        let wantsObjects = order.initial == .full && order.shape != .index
        guard wantsObjects, count > 0 else {
            lines.initial(
                subject, snapshot, count: order.initial == .none ? nil : count,
                objectsFollow: wantsObjects ? false : nil)
            return (count, [])
        }
        if order.shape == .rows {
            lines.initial(subject, snapshot, count: count, objectsFollow: true)
        }
        let contents = try asking { () throws(QueryFailure) in
            try subject.contents(in: snapshot)
        }
        return (count, contents.filter { $0.count > 0 })
    }

    /// Puts some objects into the buffer.
    ///
    /// - Parameters:
    ///   - sent: how many objects there were before.
    ///   - count: how many there are in all.
    /// - Returns: whether the version is still there.
    private func addPage(
        _ range: Range<Int>, of content: SubjectContent, _ sent: inout Int, of count: Int
    ) throws(CommandFailure) -> Bool {
        let current = try reading { () throws(StoreError) in try held.current() }
        guard let snapshot = current else { return false }
        let isFirst = sent == 0
        sent += range.count
        try asking { [sent] () throws(QueryFailure) in
            try lines.initial(
                content.rows(range), at: range.lowerBound, of: content, subject, snapshot,
                count: count, isFirst: isFirst, isLast: sent == count)
        }
        return true
    }

    // MARK: Beginning anew

    /// Says that what the reader knows is not what it is told from now on, and tells all of that.
    ///
    /// - Parameters:
    ///   - requested: the version that is gone.
    ///   - version: the one to begin with; `nil` for the newest.
    func restart(
        _ reason: StreamReset, requested: LSN? = nil, at version: LSN? = nil
    ) throws(CommandFailure) -> StreamEnd? {
        try sendReset(reason, requested: requested, at: version)
        return try sendInitial()
    }

    private func sendReset(
        _ reason: StreamReset, requested: LSN?, at version: LSN? = nil
    ) throws(CommandFailure) {
        let isWhole = order.initial == .full && order.shape != .index
        try addReset(reason, requested: requested, at: version, isWhole: isWhole)
        try deliver("reset", isPosition: !isWhole)
        // The version that the line names, so that nothing is left out between it and the next.
        let current = try reading { () throws(StoreError) in try held.current() }
        if let current { try makeSubject(current) } else { try makeSubject(try newestSnapshot()) }
    }

    /// Goes to a version, and puts the line about that into the buffer.
    ///
    /// - Parameters:
    ///   - version: the newest one if it is `nil`, or not kept any more.
    ///   - isWhole: whether all objects follow.
    private func addReset(
        _ reason: StreamReset, requested: LSN?, at version: LSN?, isWhole: Bool
    ) throws(CommandFailure) {
        let report = try reading { () throws(StoreError) in try database.store.versions() }
        if order.onGap == .fail, let requested {
            throw CommandFailure(
                StoreError(
                    .versionGone, path: order.file,
                    detail: "version \(requested.rawValue) is no longer kept; \(report.range)",
                    remedy: "start again with --on-gap reset"))
        }
        let old = reason == .replaced ? .zero : requested ?? held.version
        let snapshot: DatabaseSnapshot
        if let version,
            let kept = try reading({ () throws(StoreError) in
                try HeldVersion.open(version, in: database)
            })
        {
            snapshot = kept
        } else {
            snapshot = try newestSnapshot()
        }
        held.move(to: snapshot)
        lines.reset(
            reason, snapshot.version, position: isWhole ? old : snapshot.version,
            gap: requested.map { ($0, report.oldest) })
    }
}
