import Foundation

// usage: firn-kennel FILE
guard CommandLine.arguments.count == 2 else { fatalError("usage: firn-kennel FILE") }
let kennel = try Kennel(fileURL: URL(fileURLWithPath: CommandLine.arguments[1]))
try kennel.open()
kennel.showPeople()
kennel.showDogs()
try kennel.move()
kennel.sellAll()
try kennel.adopt()
