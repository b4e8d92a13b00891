/// Kinds of durable work, and of concurrent reading, by which databases are compared.
///
/// The raw values are the words sent to a worker process.
enum CommitWork: String, CaseIterable {
    /// One object in one transaction.
    case create
    /// One property of one object, found by its key, in one transaction.
    case update
    /// ``create`` by eight threads of one process concurrently.
    case threads
    /// ``create`` by one of several concurrent processes.
    case processes
    /// 100,000 objects in one transaction.
    case bulk
    /// ``update`` while a checkpoint folds as many changes as a log collects.
    case checkpoint
    /// All properties of an object, found by its key, with everything in memory.
    case lookup
    /// Retaining the newest version.
    case freeze

    static let threadCount = 8
    static let processCount = 4
    static let bulkCount = 100_000
    /// The number of objects that exist before the measurement.
    static let populationCount = 100_000
    /// The number of changes that a checkpoint has to fold.
    static let backlogCount = 5_000
    /// The number of lookups or freezes that are timed together, because one is too short for the
    /// clock.
    static let shortWorkCount = 1_000

    /// The name in the table.
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

    /// The number of samples that each contestant gives per turn.
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
