import ArgumentParser
package import FirnFormats

// The formats do not know how arguments are parsed: their types that are arguments become that here.

extension ByteSize: ExpressibleByArgument {}
extension Percentage: ExpressibleByArgument {}
extension TimeSpan: ExpressibleByArgument {}
extension RowFormat: ExpressibleByArgument {}
extension IndexRequest: ExpressibleByArgument {}
