-- Posts the bodies of a file, one a line, each once.
local bodies = {}
local number = 0

function init(arguments)
    for line in io.lines(arguments[1]) do bodies[#bodies + 1] = line end
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
end

function request()
    number = number % #bodies + 1
    return wrk.format(nil, nil, nil, bodies[number])
end
