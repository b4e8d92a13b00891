import FirnPlatform

/// The names of a simulated disk: those that processes see, and those after a power loss.
struct SimulatedNames: Sendable {
    /// A change of names; each is one step of the journal, so that a rename is never half done.
    private enum Change: Sendable {
        case create(path: String, inode: UInt64)
        case remove(path: String, inode: UInt64)
        case rename(from: String, to: String, inode: UInt64)

        var folders: [String] {
            switch self {
            case .create(let path, _), .remove(let path, _): [SimulatedNames.folder(of: path)]
            case .rename(let from, let to, _):
                [SimulatedNames.folder(of: from), SimulatedNames.folder(of: to)]
            }
        }
    }

    /// The names that processes see.
    private(set) var current: [String: UInt64] = [:]
    /// The names that survive any power loss.
    private var durable: [String: UInt64] = [:]
    private var pending: [Change] = []
    /// The indices of changes in `pending` whose sync failed, so that no later sync writes them.
    private var abandoned: Set<Int> = []
    /// Folders and special files exist from the start and forever.
    var folders: Set<String> = ["/", "."]
    var specialFiles: Set<String> = []

    /// All names that lead to a file now.
    func linkCount(of inode: UInt64) -> Int { current.values.count { $0 == inode } }

    /// Whether a file may come back after a power loss.
    func mayNeed(_ inode: UInt64) -> Bool {
        durable.values.contains(inode) || current.values.contains(inode)
            || pending.contains { change in
                switch change {
                case .create(_, let other), .remove(_, let other), .rename(_, _, let other):
                    other == inode
                }
            }
    }

    // MARK: Changes

    /// Adds a durable name without a journal entry, as if it had always existed.
    mutating func place(_ path: String, _ inode: UInt64) {
        current[path] = inode
        durable[path] = inode
    }

    mutating func create(_ path: String, _ inode: UInt64) {
        record(.create(path: path, inode: inode))
    }

    mutating func remove(_ path: String, _ inode: UInt64) {
        record(.remove(path: path, inode: inode))
    }

    mutating func rename(_ path: String, to newPath: String, _ inode: UInt64) {
        record(.rename(from: path, to: newPath, inode: inode))
    }

    private mutating func record(_ change: Change) {
        SimulatedNames.apply(change, to: &current)
        pending.append(change)
    }

    private static func apply(_ change: Change, to names: inout [String: UInt64]) {
        switch change {
        case .create(let path, let inode): names[path] = inode
        case .remove(let path, let inode): if names[path] == inode { names[path] = nil }
        case .rename(_, let to, let inode):
            // There are no hard links here: whatever name the file has, it gives up. That keeps a
            // rename atomic even when the change that made its old name was lost.
            names = names.filter { $0.value != inode }
            names[to] = inode
        }
    }

    // MARK: Syncs

    mutating func sync(_ folder: String) {
        settle(folder) { change, names in SimulatedNames.apply(change, to: &names.durable) }
    }

    /// Models a failed sync: nothing was written and no later sync will write it.
    mutating func failSync(_ folder: String) {
        for (index, change) in pending.enumerated() where change.folders.contains(folder) {
            abandoned.insert(index)
        }
    }

    private mutating func settle(
        _ folder: String, _ body: (Change, inout SimulatedNames) -> Void
    ) {
        let old = (pending, abandoned)
        pending = []
        abandoned = []
        for (index, change) in old.0.enumerated() {
            if change.folders.contains(folder), !old.1.contains(index) {
                body(change, &self)
            } else {
                if old.1.contains(index) { abandoned.insert(pending.count) }
                pending.append(change)
            }
        }
    }

    // MARK: Power loss

    /// The names after the power came back.
    func survivors(_ survival: inout Survival) -> SimulatedNames {
        var names = durable
        for change in pending where survival.keepsName() {
            SimulatedNames.apply(change, to: &names)
        }
        var after = self
        after.current = names
        after.durable = names
        after.pending = []
        after.abandoned = []
        return after
    }

    // MARK: Paths

    /// The canonical spelling of a path: without `.`, `..` and double slashes.
    static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else {
                parts.append(part)
            }
        }
        let joined = parts.joined(separator: "/")
        if path.hasPrefix("/") { return "/" + joined }
        return joined.isEmpty ? "." : joined
    }

    /// The folder of a normal path.
    static func folder(of path: String) -> String { PathName.folder(of: path) }
}
