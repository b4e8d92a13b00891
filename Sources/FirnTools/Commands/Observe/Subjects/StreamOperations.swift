import ArgumentParser

/// A set of the operations insert, update and delete.
struct StreamOperations: ExpressibleByArgument, OptionSet, Hashable {
    let rawValue: UInt8

    static let insert = StreamOperations(rawValue: 1)
    static let update = StreamOperations(rawValue: 2)
    static let delete = StreamOperations(rawValue: 4)
    static let all: StreamOperations = [.insert, .update, .delete]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init?(argument: String) {
        var operations: StreamOperations = []
        for word in argument.split(separator: ",", omittingEmptySubsequences: false) {
            switch word {
            case "insert": operations.insert(.insert)
            case "update": operations.insert(.update)
            case "delete": operations.insert(.delete)
            default: return nil
            }
        }
        self = operations
    }

    var defaultValueDescription: String { "insert,update,delete" }
}
