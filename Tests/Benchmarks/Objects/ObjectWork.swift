/// Kinds of work by which the object API is measured.
///
/// The raw values are the words sent to the process of another database.
enum ObjectWork: String, CaseIterable {
    /// 100,000 objects in one transaction.
    case add
    /// Like ``add``, with dictionaries.
    case create
    case numbers
    case strings
    case iterate
    case filter
    case follow
    case append
    case insert
    case set

    /// The name in the tables.
    var title: String {
        switch self {
        case .add: "add 100,000 objects in one transaction"
        case .create: "create 100,000 objects of dictionaries"
        case .numbers: "read 1,000,000 numbers through accessors"
        case .strings: "read 1,000,000 strings through accessors"
        case .iterate: "iterate 1,000,000 objects, read one number"
        case .filter: "filter 1,000,000 objects and count"
        case .follow: "follow 100,000 links, read one number"
        case .append: "append 10,000 numbers to a list, roll back"
        case .insert: "insert 10,000 numbers into a list, roll back"
        case .set: "set one property and commit, 100 times"
        }
    }

    /// Whether relational databases have an equivalent.
    var hasPeers: Bool {
        switch self {
        case .add, .iterate, .filter, .follow, .set: true
        case .create, .numbers, .strings, .append, .insert: false
        }
    }
}
