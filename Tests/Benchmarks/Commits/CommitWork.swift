/// Durable work, and reading beside it, that databases are compared by.
///
/// The raw values are the words by which a process is told what to do.
enum CommitWork: String, CaseIterable {
    /// One object in one transaction.
    case create
    /// One property of one object, found by its key, in one transaction.
    case update
    /// ``create`` by eight threads of one process at the same time.
    case threads
    /// ``create`` by one of several processes that do so at the same time.
    case processes
    /// 100,000 objects in one transaction.
    case bulk
    /// ``update`` while a checkpoint has as many changes to fold as a log gathers.
    case checkpoint
    /// All properties of an object, found by its key, with everything in memory.
    case lookup
    /// Holding on to the newest version.
    case freeze

    static let threadCount = 8
    static let processCount = 4
    static let bulkCount = 100_000
    /// Objects that are there before anything is measured.
    static let populationCount = 100_000
    /// Changes that a checkpoint has to fold.
    static let backlogCount = 5_000
    /// So many that a clock can time them together: lookups and freezes.
    static let shortWorkCount = 1_000

    /// What the table calls it.
    var title: String {
        switch self {
        case .create: "one-row commit"
        case .update: "one-property update"
        case .threads: "\(CommitWork.threadCount) threads committing together"
        case .processes: "\(CommitWork.processCount) processes committing together"
        case .bulk: "100,000 objects in one transaction"
        case .checkpoint: "update during a checkpoint"
        case .lookup: "one object by key, warm"
        case .freeze: "freeze of a snapshot"
        }
    }

    /// Samples that each contestant gives in a turn.
    var samplesPerTurn: Int {
        switch self {
        case .create, .update: 50
        case .threads, .processes: 100
        case .bulk: 1
        case .checkpoint: 1
        case .lookup, .freeze: 3
        }
    }
}
